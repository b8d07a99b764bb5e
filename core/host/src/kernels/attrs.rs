//! Whether a node has an attr, and how much room its value takes.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_Buffer, TF_OpKernelConstruction, TF_Status};
use oplink_api::{AttrValue, Error, PartialShape, Result};

use super::construction::of_call;
use crate::guard::{borrow, text, with_status};

/// Whether the node has an attr of this name.
///
/// # Safety
/// The construction is null or that of the call that goes on; the text is null or terminated; the status is null or
/// alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_HasAttr(
    context: *mut TF_OpKernelConstruction,
    attr_name: *const c_char,
    status: *mut TF_Status,
) -> bool {
    const NAME: &str = "TF_OpKernelConstruction_HasAttr";
    with_status(status, NAME, false, || {
        // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
        let (construction, name) = unsafe { (of_call(context, NAME)?, text(attr_name, NAME, "attr_name")?) };
        Ok(construction.node().attrs.get(name).is_some())
    })
}

/// Tells how many elements a list has (-1 where the value is none), and how many bytes its strings or dims its shapes
/// have (-1 for other kinds, and for lists without elements). Both are -1 where there is no such attr.
///
/// # Safety
/// The construction is null or that of the call that goes on; the text is null or terminated; the numbers are null or
/// writable; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_GetAttrSize(
    context: *mut TF_OpKernelConstruction,
    attr_name: *const c_char,
    list_size: *mut i32,
    total_size: *mut i32,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OpKernelConstruction_GetAttrSize";
    let (list, total) = with_status(status, NAME, (-1, -1), || {
        // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
        let (construction, name) = unsafe { (of_call(context, NAME)?, text(attr_name, NAME, "attr_name")?) };
        // SAFETY: `list_size` is null or a slot and `total_size` is null or a slot (Safety section).
        unsafe { borrow(list_size, NAME, "list_size").and(borrow(total_size, NAME, "total_size")) }?;
        sizes(construction.attr(name)?)
    });
    for (number, size) in [(list_size, list), (total_size, total)] {
        if !number.is_null() {
            // SAFETY: not null, writable by contract.
            unsafe { number.write(size) }
        }
    }
}

fn sizes(value: &AttrValue) -> Result<(i32, i32)> {
    let total = match value {
        AttrValue::String(string) => Some(string.len()),
        AttrValue::Shape(shape) => shape.rank(),
        AttrValue::Strings(strings) if !strings.is_empty() => Some(strings.iter().map(Vec::len).sum()),
        AttrValue::Shapes(shapes) if !shapes.is_empty() => Some(shapes.iter().filter_map(PartialShape::rank).sum()),
        _ => None,
    };
    let number = |size: Option<usize>| {
        let size = size.map_or(Ok(-1), i32::try_from);
        size.map_err(|_| Error::out_of_range("the attr's value exceeds the 32 bits of its size"))
    };
    Ok((number(value.list_len())?, number(total)?))
}

/// Refuses: functions are bodies of a graph, which kernels of plugins are not told.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_GetAttrFunction(
    _: *mut TF_OpKernelConstruction,
    _: *const c_char,
    status: *mut TF_Status,
) -> *mut TF_Buffer {
    const NAME: &str = "TF_OpKernelConstruction_GetAttrFunction";
    with_status(status, NAME, ptr::null_mut(), || {
        let message = format!("{NAME}: kernels of plugins are not told the functions of a graph");
        Err(Error::unimplemented(message))
    })
}
