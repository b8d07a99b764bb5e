//! `TF_AbstractTensor`: a tensor of an eager context, or one of a function under construction.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_AbstractTensor, TFE_TensorHandle};
use oplink_api::{Output, Result, bail};
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete};

use super::context::Trace;
use crate::eager::Handle;
use crate::eager::handle::TFE_DeleteTensorHandle;

/// What a `TF_AbstractTensor` is here.
#[derive(Debug)]
pub(super) enum AbstractTensor {
    Eager(OwnedHandle),
    Traced(Arc<Trace>, Output),
}

/// A handle, deleted at the end.
#[derive(Debug)]
pub(super) struct OwnedHandle(*mut TFE_TensorHandle);

impl Drop for OwnedHandle {
    fn drop(&mut self) {
        // SAFETY: the tensor owns its handle, as clients know.
        unsafe { TFE_DeleteTensorHandle(self.0) }
    }
}

impl AbstractTensor {
    /// A tensor that owns this handle.
    pub(super) fn of_handle(handle: *mut TFE_TensorHandle) -> *mut TF_AbstractTensor {
        Self::Eager(OwnedHandle(handle)).into_handle()
    }

    pub(super) fn into_handle(self) -> *mut TF_AbstractTensor {
        Box::into_raw(Box::new(self)).cast()
    }

    /// The tensor behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(super) unsafe fn borrow<'a>(
        tensor: *const TF_AbstractTensor,
        function: &str,
        argument: &str,
    ) -> Result<&'a Self> {
        // SAFETY: `tensor` is null or alive (Safety section).
        unsafe { borrow(tensor.cast::<Self>(), function, argument) }
    }

    /// The eager handle.
    ///
    /// # Errors
    /// The tensor is one of a function under construction.
    pub(super) fn handle(&self, function: &str) -> Result<*mut TFE_TensorHandle> {
        match self {
            Self::Eager(handle) => Ok(handle.0),
            Self::Traced(..) => bail!("{function}: the tensor is one of a function that is traced, it has no value"),
        }
    }

    /// The tensor's place in the function under construction.
    ///
    /// # Errors
    /// The tensor is an eager one or of another function.
    pub(super) fn traced(&self, trace: &Arc<Trace>, function: &str) -> Result<Output> {
        match self {
            Self::Traced(of, output) if Arc::ptr_eq(of, trace) => Ok(*output),
            Self::Traced(..) => bail!("{function}: a tensor is one of another function"),
            Self::Eager(_) => bail!("{function}: a tensor is an eager one, where one of the function is needed"),
        }
    }
}

c_api! {
    /// A tensor that owns this handle: it is not deleted by the client any more.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_CreateAbstractTensorFromEagerTensor(t: *mut TFE_TensorHandle; status)
        -> (*mut TF_AbstractTensor = ptr::null_mut())
    {
        // SAFETY: `t` is null or alive (Safety section).
        unsafe { Handle::borrow(t, NAME, "t") }?;
        Ok(AbstractTensor::of_handle(t))
    }

    /// The handle of an eager tensor, which stays the tensor's.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_AbstractTensorGetEagerTensor(
        tensor: *mut TF_AbstractTensor => { AbstractTensor::borrow(tensor, NAME, "tensor") };
        status
    ) -> (*mut TFE_TensorHandle = ptr::null_mut()) {
        tensor.handle(NAME)
    }
}

/// Frees a tensor; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteAbstractTensor(tensor: *mut TF_AbstractTensor) {
    // SAFETY: `tensor` is null or a box that this library made and that the caller gives up.
    unsafe { delete(tensor.cast::<AbstractTensor>()) }
}
