//! `TF_OutputList`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TF_AbstractTensor, TF_OutputList};
use oplink_api::{Result, ensure};
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, delete, without_status};

use super::tensor::AbstractTensor;
use crate::support::c_count;

/// The most outputs that a call may be expected to have.
const MAX_OUTPUTS: c_int = 1 << 20;

/// What a `TF_OutputList` is here. The tensors are the client's.
#[derive(Debug, Default)]
pub(super) struct OutputList {
    pub(super) tensors: Vec<*mut TF_AbstractTensor>,
    /// How many outputs the next call shall have, once that is set.
    pub(super) expected: Option<usize>,
}

impl OutputList {
    /// The list behind a handle, to change it.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a` and used by nobody else.
    pub(super) unsafe fn borrow_mut<'a>(list: *mut TF_OutputList, function: &str) -> Result<&'a mut Self> {
        // SAFETY: `list` is null or alive (Safety section).
        unsafe { borrow_mut(list.cast::<Self>(), function, "outputs") }
    }
}

/// An empty list.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewOutputList() -> *mut TF_OutputList {
    without_status(ptr::null_mut(), || Box::into_raw(Box::<OutputList>::default()).cast())
}

/// Frees a list; null is allowed. The tensors stay.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteOutputList(list: *mut TF_OutputList) {
    // SAFETY: `list` is null or a box that this library made and that the caller gives up.
    unsafe { delete(list.cast::<OutputList>()) }
}

c_api! {
    /// How many outputs the next call has; it must be set before a call that runs at once.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_OutputListSetNumOutputs(
        list: *mut TF_OutputList => { OutputList::borrow_mut(list, NAME) },
        num_outputs: c_int;
        status
    ) {
        ensure!((0..=MAX_OUTPUTS).contains(&num_outputs), "{NAME}: `num_outputs` is {num_outputs}");
        list.expected = usize::try_from(num_outputs).ok();
        Ok(())
    }

    /// The length; 0 for null.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TF_OutputListNumOutputs(list: *mut TF_OutputList => { borrow(list.cast::<OutputList>(), NAME, "list") })
        -> (c_int = 0)
    {
        Ok(c_count(list.tensors.len()))
    }

    /// A tensor of the list; null where there is none.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TF_OutputListGet(
        list: *mut TF_OutputList => { borrow(list.cast::<OutputList>(), NAME, "list") },
        index: c_int
    ) -> (*mut TF_AbstractTensor = ptr::null_mut()) {
        let tensor = usize::try_from(index).ok().and_then(|index| list.tensors.get(index));
        Ok(tensor.copied().unwrap_or(ptr::null_mut()))
    }

    /// Adds a tensor at the end.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_OutputListPushBack(
        list: *mut TF_OutputList => { OutputList::borrow_mut(list, NAME) },
        tensor: *mut TF_AbstractTensor;
        status
    ) {
        // SAFETY: `tensor` is null or alive (Safety section).
        unsafe { AbstractTensor::borrow(tensor, NAME, "tensor") }?;
        list.tensors.push(tensor);
        Ok(())
    }
}
