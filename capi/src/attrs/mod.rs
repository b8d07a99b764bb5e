//! Getters of operations' attrs: defaults that were left out are there too.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod lists;
pub mod metadata;
pub mod names;
pub mod protos;
pub mod scalars;

pub(crate) use metadata::kind_number;

use std::ffi::c_char;

use oplink_abi::{TF_Operation, TF_Status};
use oplink_api::{AttrValue, Error, FromAttr, Result};
use oplink_host::guard::{text, with_status};

use crate::graph::{Operation, operation_of};

/// Reads an attr for an exported function.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string.
unsafe fn read<T>(
    oper: *const TF_Operation,
    attr_name: *const c_char,
    function: &str,
    status: *mut TF_Status,
    fallback: T,
    read: impl FnOnce(&AttrValue, &str, &Operation) -> Result<T>,
) -> T {
    with_status(status, function, fallback, || {
        // SAFETY: the caller's contract.
        let (operation, name) =
            unsafe { (operation_of(oper, function, "oper")?, text(attr_name, function, "attr_name")?) };
        match operation.info.attrs.get(name) {
            Some(value) => read(value, name, operation),
            None => {
                let message = format!("operation `{}` has no attr `{}`", operation.info.name, name.escape_debug());
                Err(Error::invalid_argument(message))
            }
        }
    })
}

/// As [`read`], for a value of one kind.
///
/// # Safety
/// As [`read`].
unsafe fn read_as<T>(
    oper: *const TF_Operation,
    attr_name: *const c_char,
    function: &str,
    status: *mut TF_Status,
    give: impl FnOnce(T) -> Result<()>,
) where
    T: for<'a> FromAttr<'a>,
{
    // SAFETY: the caller's contract.
    unsafe { read(oper, attr_name, function, status, (), |value, name, _| give(as_kind(value, name)?)) }
}

/// A value as a Rust type.
///
/// # Errors
/// It is of another kind.
fn as_kind<'a, T: FromAttr<'a>>(value: &'a AttrValue, name: &str) -> Result<T> {
    T::from_attr(value)
        .ok_or_else(|| Error::invalid_argument(format!("attr `{name}` is {}, not {}", value.kind_name(), T::KIND)))
}
