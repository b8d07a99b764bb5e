//! What shape functions do with shapes.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TF_DimensionHandle, TF_ShapeHandle, TF_ShapeInferenceContext, TF_Status};
use oplink_api::{PartialShape, Result, bail};

use super::handles::{dimension, shape, shape_handle, shape_mut};
use crate::guard::{with_status, without_status};

/// A shape of rank 0.
#[unsafe(no_mangle)]
pub extern "C" fn TF_ShapeInferenceContextScalar(_: *mut TF_ShapeInferenceContext) -> *mut TF_ShapeHandle {
    without_status(ptr::null_mut(), || shape_handle(PartialShape::scalar()))
}

/// A shape of rank 1.
#[unsafe(no_mangle)]
pub extern "C" fn TF_ShapeInferenceContextVectorFromSize(
    _: *mut TF_ShapeInferenceContext,
    size: usize,
) -> *mut TF_ShapeHandle {
    without_status(ptr::null_mut(), || shape_handle(PartialShape::new(&[Some(size)])))
}

/// The rank; -1 where it is unknown.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextRank(
    _: *mut TF_ShapeInferenceContext,
    handle: *mut TF_ShapeHandle,
) -> i64 {
    // SAFETY: `handle` is null or alive (Safety section).
    let shape = unsafe { shape(handle, "TF_ShapeInferenceContextRank", "handle") };
    shape.ok().and_then(PartialShape::rank).map_or(-1, |rank| rank as i64)
}

/// 1 where the rank is known.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextRankKnown(
    _: *mut TF_ShapeInferenceContext,
    handle: *mut TF_ShapeHandle,
) -> c_int {
    // SAFETY: `handle` is null or alive (Safety section).
    let shape = unsafe { shape(handle, "TF_ShapeInferenceContextRankKnown", "handle") };
    shape.ok().and_then(PartialShape::rank).is_some().into()
}

/// Puts what `make` makes of one shape into `result`.
///
/// # Safety
/// The handles are null or alive, the status too.
unsafe fn derive(
    handle: *mut TF_ShapeHandle,
    result: *mut TF_ShapeHandle,
    status: *mut TF_Status,
    function: &str,
    make: impl FnOnce(&PartialShape) -> Result<PartialShape>,
) {
    with_status(status, function, (), || {
        // SAFETY: the caller's contract. The two may be one, so the first is read before the second is borrowed.
        let made = unsafe { make(shape(handle, function, "handle")?) }?;
        // SAFETY: `result` is null or alive (Safety section).
        *unsafe { shape_mut(result, function, "result") }? = made;
        Ok(())
    });
}

fn rank_of(rank: i64) -> Result<usize> {
    match usize::try_from(rank) {
        Ok(rank) => Ok(rank),
        Err(_) => bail!("{rank} is no rank"),
    }
}

/// Puts the shape into `result`, of this rank.
///
/// # Safety
/// The handles are null or alive, the status too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextWithRank(
    _: *mut TF_ShapeInferenceContext,
    handle: *mut TF_ShapeHandle,
    rank: i64,
    result: *mut TF_ShapeHandle,
    status: *mut TF_Status,
) {
    let with_rank = |shape: &PartialShape| match (shape.rank(), rank_of(rank)?) {
        (None, rank) => Ok(PartialShape::unknown_of_rank(rank)),
        (Some(known), rank) if known == rank => Ok(shape.clone()),
        (Some(known), rank) => bail!("the shape {shape} must be of rank {rank}, it is of rank {known}"),
    };
    // SAFETY: `handle` is null or alive, `result` is null or alive and `status` is null or alive (Safety section).
    unsafe { derive(handle, result, status, "TF_ShapeInferenceContextWithRank", with_rank) }
}

/// Puts the shape into `result`, whose rank is unknown or at least this.
///
/// # Safety
/// The handles are null or alive, the status too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextWithRankAtLeast(
    _: *mut TF_ShapeInferenceContext,
    handle: *mut TF_ShapeHandle,
    rank: i64,
    result: *mut TF_ShapeHandle,
    status: *mut TF_Status,
) {
    let at_least = |shape: &PartialShape| match shape.rank() {
        Some(known) if (known as i64) < rank => {
            bail!("the shape {shape} must be at least of rank {rank}, it is of rank {known}")
        }
        _ => Ok(shape.clone()),
    };
    // SAFETY: `handle` is null or alive, `result` is null or alive and `status` is null or alive (Safety section).
    unsafe { derive(handle, result, status, "TF_ShapeInferenceContextWithRankAtLeast", at_least) }
}

/// Puts the shape into `result`, whose rank is unknown or at most this.
///
/// # Safety
/// The handles are null or alive, the status too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextWithRankAtMost(
    _: *mut TF_ShapeInferenceContext,
    handle: *mut TF_ShapeHandle,
    rank: i64,
    result: *mut TF_ShapeHandle,
    status: *mut TF_Status,
) {
    let at_most = |shape: &PartialShape| match shape.rank() {
        Some(known) if known as i64 > rank => {
            bail!("the shape {shape} must be at most of rank {rank}, it is of rank {known}")
        }
        _ => Ok(shape.clone()),
    };
    // SAFETY: `handle` is null or alive, `result` is null or alive and `status` is null or alive (Safety section).
    unsafe { derive(handle, result, status, "TF_ShapeInferenceContextWithRankAtMost", at_most) }
}

/// Puts a dimension of a shape into `result`; negative positions count from the end. Unknown where there is none.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextDim(
    _: *mut TF_ShapeInferenceContext,
    handle: *mut TF_ShapeHandle,
    i: i64,
    result: *mut TF_DimensionHandle,
) {
    // SAFETY: `handle` is null or alive and `result` is null or alive (Safety section).
    let (shape, result) = unsafe { (shape(handle, "TF_ShapeInferenceContextDim", "shape_handle"), dimension(result)) };
    let (Ok(shape), Some(result)) = (shape, result) else { return };
    let from_end = shape.rank().map_or(0, |rank| rank as i64);
    let at = usize::try_from(if i < 0 { i.saturating_add(from_end) } else { i });
    *result = at.ok().and_then(|at| shape.dim(at));
}

/// The extents `start..end`; negative positions count from the end.
fn part(shape: &PartialShape, start: i64, end: i64) -> Result<PartialShape> {
    let Some(dims) = shape.dims() else { return Ok(PartialShape::unknown()) };
    let rank = dims.len() as i64;
    let at = |position: i64| if position < 0 { position.saturating_add(rank) } else { position.min(rank) };
    let (from, to) = (at(start), at(end));
    if from < 0 || to < from {
        bail!("dimensions {start} to {end} of the shape {shape} do not exist");
    }
    Ok(PartialShape::new(&dims[from as usize..to as usize]))
}

/// Puts the extents `start..end` of a shape into `result`; negative positions count from the end.
///
/// # Safety
/// The handles are null or alive, the status too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextSubshape(
    _: *mut TF_ShapeInferenceContext,
    handle: *mut TF_ShapeHandle,
    start: i64,
    end: i64,
    result: *mut TF_ShapeHandle,
    status: *mut TF_Status,
) {
    let subshape = |shape: &PartialShape| part(shape, start, end);
    // SAFETY: `handle` is null or alive, `result` is null or alive and `status` is null or alive (Safety section).
    unsafe { derive(handle, result, status, "TF_ShapeInferenceContextSubshape", subshape) }
}

/// Puts the extents of one shape followed by those of another into `result`.
///
/// # Safety
/// The handles are null or alive, the status too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextConcatenateShapes(
    _: *mut TF_ShapeInferenceContext,
    first: *mut TF_ShapeHandle,
    second: *mut TF_ShapeHandle,
    result: *mut TF_ShapeHandle,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_ShapeInferenceContextConcatenateShapes";
    let concatenate = |first: &PartialShape| {
        // SAFETY: `second` is null or alive (Safety section).
        let second = unsafe { shape(second, NAME, "second") }?;
        Ok(match (first.dims(), second.dims()) {
            (Some(a), Some(b)) => a.iter().chain(b).copied().collect(),
            _ => PartialShape::unknown(),
        })
    };
    // SAFETY: `first` is null or alive, `result` is null or alive and `status` is null or alive (Safety section).
    unsafe { derive(first, result, status, NAME, concatenate) }
}
