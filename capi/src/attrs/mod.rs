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

/// An attr of an operation.
///
/// # Errors
/// There is none of that name, which is `NotFound`.
fn found<'a>(operation: &'a Operation, name: &str) -> Result<&'a AttrValue> {
    value_of(operation, name).map_err(|error| Error::not_found(error.message()))
}

/// An attr of an operation as a Rust type.
///
/// # Errors
/// As [`found`], or it is of another kind.
fn attr<'a, T: FromAttr<'a>>(operation: &'a Operation, name: &str) -> Result<T> {
    typed(found(operation, name)?, name)
}

/// As [`attr`], where TensorFlow looks at the kind of the attr first, so that one of no name is `InvalidArgument`.
///
/// # Errors
/// As [`attr`], with that code.
fn attr_by_kind<'a, T: FromAttr<'a>>(operation: &'a Operation, name: &str) -> Result<T> {
    typed(value_of(operation, name)?, name)
}

/// The elements of an attr that is a list; those of an empty list are of any kind.
///
/// # Errors
/// The attr is of another kind.
fn elements<'a, T>(value: &'a AttrValue, name: &str) -> Result<Vec<T>>
where
    Vec<T>: FromAttr<'a>,
{
    if value.list_len() == Some(0) { Ok(Vec::new()) } else { typed(value, name) }
}

fn typed<'a, T: FromAttr<'a>>(value: &'a AttrValue, name: &str) -> Result<T> {
    T::from_attr(value)
        .ok_or_else(|| Error::invalid_argument(format!("attr `{name}` is {}, not {}", value.kind_name(), T::KIND)))
}
