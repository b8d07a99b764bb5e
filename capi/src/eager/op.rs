//! `TFE_Op`: a call under construction.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{Arc, OnceLock};

use oplink_abi::{TF_Status, TFE_Context, TFE_Op};
use oplink_api::spec::OpSpec;
use oplink_api::{AttrValue, Error, Result, Tensor};
use oplink_core::{Device, PreparedKernel};
use oplink_host::guard::{borrow, borrow_mut, delete, text, with_status};

use super::Context;
use crate::support::c_string;

/// What a `TFE_Op` is here.
pub(crate) struct EagerOp {
    pub(super) context: *const TFE_Context,
    pub(super) spec: Arc<OpSpec>,
    name: OnceLock<CString>,
    /// The device asked for, as it was written.
    device: CString,
    /// That device.
    pub(super) wanted: Option<Arc<dyn Device>>,
    pub(super) inputs: Vec<Tensor>,
    /// For each call that added inputs, the length of its list; `None` for a single one.
    pub(super) lengths: Vec<Option<usize>>,
    pub(super) attrs: Vec<(String, AttrValue)>,
    /// The kernel of the run before: what the call knew of its arguments.
    pub(super) last: Option<Arc<PreparedKernel>>,
    /// What is wrong with arguments of functions without a status.
    pub(super) problem: Option<Error>,
}

impl EagerOp {
    /// The op behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(crate) unsafe fn borrow<'a>(op: *const TFE_Op, function: &str) -> Result<&'a Self> {
        // SAFETY: the caller's contract.
        unsafe { borrow(op.cast::<Self>(), function, "op") }
    }

    /// As [`EagerOp::borrow`], to change it.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// As [`EagerOp::borrow`], and used by nobody else.
    pub(crate) unsafe fn borrow_mut<'a>(op: *mut TFE_Op, function: &str) -> Result<&'a mut Self> {
        // SAFETY: the caller's contract.
        unsafe { borrow_mut(op.cast::<Self>(), function, "op") }
    }

    /// The context.
    ///
    /// # Errors
    /// It was null.
    pub(super) fn context(&self) -> Result<&Context> {
        // SAFETY: a context outlives its ops, as the API asks.
        unsafe { Context::borrow(self.context, "TFE_Op") }
    }

    pub(super) fn set(&mut self, name: &str, value: AttrValue) {
        match self.attrs.iter_mut().find(|(known, _)| known == name) {
            Some((_, present)) => *present = value,
            None => self.attrs.push((name.to_owned(), value)),
        }
    }
}

/// A call of an op.
///
/// # Safety
/// The handles are null or alive, the context as long as the op; `op_or_function_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_NewOp(
    ctx: *mut TFE_Context,
    op_or_function_name: *const c_char,
    status: *mut TF_Status,
) -> *mut TFE_Op {
    const NAME: &str = "TFE_NewOp";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: the caller's contract.
        let (context, name) =
            unsafe { (Context::borrow(ctx, NAME)?, text(op_or_function_name, NAME, "op_or_function_name")?) };
        let spec = context.eager().spec(name)?;
        let op = EagerOp {
            context: ctx,
            spec,
            name: OnceLock::new(),
            device: CString::default(),
            wanted: None,
            inputs: Vec::new(),
            lengths: Vec::new(),
            attrs: Vec::new(),
            last: None,
            problem: None,
        };
        Ok(Box::into_raw(Box::new(op)).cast())
    })
}

/// Frees a call; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteOp(op: *mut TFE_Op) {
    // SAFETY: made as a box.
    unsafe { delete(op.cast::<EagerOp>()) }
}

/// The op's name, valid as long as the call.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpGetName(op: *const TFE_Op, status: *mut TF_Status) -> *const c_char {
    const NAME: &str = "TFE_OpGetName";
    with_status(status, NAME, ptr::null(), || {
        // SAFETY: the caller's contract.
        let op = unsafe { EagerOp::borrow(op, NAME) }?;
        Ok(op.name.get_or_init(|| c_string(&op.spec.name)).as_ptr())
    })
}

/// The context.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpGetContext(op: *const TFE_Op, status: *mut TF_Status) -> *mut TFE_Context {
    const NAME: &str = "TFE_OpGetContext";
    // SAFETY: the caller's contract.
    with_status(status, NAME, ptr::null_mut(), || Ok(unsafe { EagerOp::borrow(op, NAME) }?.context.cast_mut()))
}

/// Asks for a device; empty for none.
///
/// # Safety
/// The handles are null or alive; `device_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetDevice(op: *mut TFE_Op, device_name: *const c_char, status: *mut TF_Status) {
    const NAME: &str = "TFE_OpSetDevice";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let (op, wanted) = unsafe { (EagerOp::borrow_mut(op, NAME)?, text(device_name, NAME, "device_name")?) };
        let found = match wanted {
            "" => None,
            wanted => Some(op.context()?.device(wanted, NAME)?),
        };
        (op.wanted, op.device) = (found, c_string(wanted));
        Ok(())
    });
}

/// The device asked for, as it was written, empty for none; valid until another is asked for.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpGetDevice(op: *const TFE_Op, status: *mut TF_Status) -> *const c_char {
    const NAME: &str = "TFE_OpGetDevice";
    // SAFETY: the caller's contract.
    with_status(status, NAME, ptr::null(), || Ok(unsafe { EagerOp::borrow(op, NAME) }?.device.as_ptr()))
}
