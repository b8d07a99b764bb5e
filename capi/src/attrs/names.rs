//! The names of an operation's attrs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::TF_Operation;
use oplink_api::{Error, Result};
use oplink_host::c_api;
use oplink_host::guard::slice_mut;

use crate::graph::{Operation, operation_of};
use crate::support::c_count;

fn name_at(operation: &Operation, at: c_int) -> Result<&str> {
    let mut names = operation.attrs().iter().map(|(name, _)| name);
    let name = usize::try_from(at).ok().and_then(|at| names.nth(at));
    let count = operation.attrs().len();
    name.ok_or_else(|| {
        let message = format!("operation `{}` has {count} attrs, there is none at {at}", operation.info.name);
        Error::out_of_range(message)
    })
}

c_api! {
    /// The number of attrs; 0 for null.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TF_OperationGetNumAttrs(oper: *mut TF_Operation => operation_of) -> (c_int = 0) {
        Ok(c_count(oper.attrs().len()))
    }

    /// Bytes of the name of the attr at a position; 0 where there is none.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TF_OperationGetAttrNameLength(oper: *mut TF_Operation => operation_of, i: c_int) -> (c_int = 0) {
        Ok(c_count(name_at(oper, i)?.len()))
    }

    /// The name of the attr at a position, without a terminator.
    ///
    /// # Safety
    /// The handles are null or alive; `output` has as many bytes as [`TF_OperationGetAttrNameLength`] returns.
    fn TF_OperationGetAttrName(oper: *mut TF_Operation => operation_of, i: c_int, output: *mut c_char; status) {
        let name = name_at(oper, i)?.as_bytes();
        // SAFETY: `output` is null or has as many bytes as the name.
        unsafe { slice_mut(output.cast::<u8>(), name.len(), NAME, "output") }?.copy_from_slice(name);
        Ok(())
    }
}
