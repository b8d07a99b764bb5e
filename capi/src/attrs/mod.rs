//! Getters of operations' attrs: defaults that were left out are there too.

pub mod lists;
pub mod metadata;
pub mod names;
pub mod protos;
pub mod scalars;

pub(crate) use metadata::kind_number;

use oplink_api::attr::FromAttr;
use oplink_api::{AttrValue, Error, Result};

use crate::graph::Operation;

/// An attr of an operation.
///
/// # Errors
/// There is none of that name.
fn value_of<'a>(operation: &'a Operation, name: &str) -> Result<&'a AttrValue> {
    operation.attrs().get(name).ok_or_else(|| {
        let message = format!("operation `{}` has no attr `{}`", operation.info.name, name.escape_debug());
        Error::invalid_argument(message)
    })
}

/// An attr of an operation as a Rust type.
///
/// # Errors
/// There is none of that name, or it is of another kind.
fn attr<'a, T: FromAttr<'a>>(operation: &'a Operation, name: &str) -> Result<T> {
    let value = value_of(operation, name)?;
    T::from_attr(value)
        .ok_or_else(|| Error::invalid_argument(format!("attr `{name}` is {}, not {}", value.kind_name(), T::KIND)))
}
