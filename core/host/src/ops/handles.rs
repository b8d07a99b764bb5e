//! Shapes and dimensions behind handles.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;

use oplink_abi::{TF_DimensionHandle, TF_ShapeHandle};
use oplink_api::shape::Dim;
use oplink_api::{PartialShape, Result};

use crate::guard::{borrow, borrow_mut, delete};

/// A handle to a shape.
pub(super) fn shape_handle(shape: PartialShape) -> *mut TF_ShapeHandle {
    Box::into_raw(Box::new(shape)).cast()
}

/// The shape behind a handle. A handle that nothing was put into has an unknown shape.
///
/// # Safety
/// The handle is null or alive.
pub(super) unsafe fn shape<'a>(handle: *const TF_ShapeHandle, function: &str, name: &str) -> Result<&'a PartialShape> {
    // SAFETY: handles are boxes of shapes.
    unsafe { borrow(handle.cast::<PartialShape>(), function, name) }
}

/// The shape behind a handle, to put one in.
///
/// # Safety
/// The handle is null or alive.
pub(super) unsafe fn shape_mut<'a>(
    handle: *mut TF_ShapeHandle,
    function: &str,
    name: &str,
) -> Result<&'a mut PartialShape> {
    // SAFETY: handles are boxes of shapes.
    unsafe { borrow_mut(handle.cast::<PartialShape>(), function, name) }
}

/// The dimension behind a handle; `None` for null.
///
/// # Safety
/// The handle is null or alive.
pub(super) unsafe fn dimension<'a>(handle: *mut TF_DimensionHandle) -> Option<&'a mut Dim> {
    // SAFETY: handles are boxes of dimensions.
    unsafe { handle.cast::<Dim>().as_mut() }
}

/// A handle to an unknown shape.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewShapeHandle() -> *mut TF_ShapeHandle {
    shape_handle(PartialShape::unknown())
}

/// Frees a handle; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteShapeHandle(handle: *mut TF_ShapeHandle) {
    // SAFETY: handles are boxes of shapes.
    unsafe { delete(handle.cast::<PartialShape>()) }
}

/// A handle to an unknown dimension.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewDimensionHandle() -> *mut TF_DimensionHandle {
    Box::into_raw(Box::<Dim>::default()).cast()
}

/// Frees a handle; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteDimensionHandle(handle: *mut TF_DimensionHandle) {
    // SAFETY: handles are boxes of dimensions.
    unsafe { delete(handle.cast::<Dim>()) }
}

/// 1 where the extent is known.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DimensionHandleValueKnown(handle: *mut TF_DimensionHandle) -> c_int {
    // SAFETY: `handle` is null or alive (Safety section).
    unsafe { dimension(handle) }.is_some_and(|dim| dim.is_some()).into()
}

/// The extent; -1 where it is unknown.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DimensionHandleValue(handle: *mut TF_DimensionHandle) -> i64 {
    // SAFETY: `handle` is null or alive (Safety section).
    unsafe { dimension(handle) }.and_then(|dim| *dim).and_then(|dim| i64::try_from(dim).ok()).unwrap_or(-1)
}
