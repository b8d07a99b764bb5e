//! The names of an operation's attrs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::{TF_Operation, TF_Status};
use oplink_api::{Error, Result};
use oplink_host::guard::{slice_mut, with_status, without_status};

use crate::graph::{Operation, operation_of};
use crate::support::c_count;

fn name_at(operation: &Operation, at: c_int) -> Result<&str> {
    let mut names = operation.info.attrs.iter().map(|(name, _)| name);
    let name = usize::try_from(at).ok().and_then(|at| names.nth(at));
    let count = operation.info.attrs.len();
    name.ok_or_else(|| {
        let message = format!("operation `{}` has {count} attrs, there is none at {at}", operation.info.name);
        Error::out_of_range(message)
    })
}

/// The number of attrs; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetNumAttrs(oper: *mut TF_Operation) -> c_int {
    // SAFETY: the caller's contract.
    let operation = unsafe { operation_of(oper, "TF_OperationGetNumAttrs", "oper") };
    without_status(0, || operation.map_or(0, |operation| c_count(operation.info.attrs.len())))
}

/// Bytes of the name of the attr at a position; 0 where there is none.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrNameLength(oper: *mut TF_Operation, i: c_int) -> c_int {
    // SAFETY: the caller's contract.
    let operation = unsafe { operation_of(oper, "TF_OperationGetAttrNameLength", "oper") };
    without_status(0, || operation.and_then(|operation| name_at(operation, i)).map_or(0, |name| c_count(name.len())))
}

/// The name of the attr at a position, without a terminator.
///
/// # Safety
/// The handles are null or alive; `output` has as many bytes as [`TF_OperationGetAttrNameLength`] says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrName(
    oper: *mut TF_Operation,
    i: c_int,
    output: *mut c_char,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrName";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let operation = unsafe { operation_of(oper, NAME, "oper") }?;
        let name = name_at(operation, i)?.as_bytes();
        // SAFETY: the caller's contract.
        unsafe { slice_mut(output.cast::<u8>(), name.len(), NAME, "output") }?.copy_from_slice(name);
        Ok(())
    });
}
