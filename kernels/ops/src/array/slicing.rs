//! Regions of tensors.

use oplink::prelude::*;

/// Picks a box out of `input`.
///
/// `begin` and `size` are vectors with an element for each axis. Every dtype; rows along the first axis share the
/// input's memory. It is an error when the range is not inside the axis.
#[op("Slice", is(moves),
     input = "input: T",
     input = "begin: Index",
     input = "size: Index",
     output = "output: T",
     attr = "T: type",
     attr = "Index: {int32, int64}",
     shape = shape_fns::slice)]
pub struct Slice;

/// Picks ranges and positions along the axes of `input`.
///
/// Bit `i` of a mask is about element `i` of `begin`, `end` and `strides`: `begin_mask` and `end_mask` leave a range
/// open, `ellipsis_mask` stands for the axes that the others leave, `new_axis_mask` inserts an axis of extent 1,
/// `shrink_axis_mask` picks the one position at `begin` and drops the axis. Ranges are clamped to the axis; single
/// positions must exist. Every dtype. A slice of whole rows along the first axis shares the input's memory.
#[op("StridedSlice", is(moves),
     input = "input: T",
     input = "begin: Index",
     input = "end: Index",
     input = "strides: Index",
     output = "output: T",
     attr = "T: type",
     attr = "Index: {int16, int32, int64}",
     attr = "begin_mask: int = 0",
     attr = "end_mask: int = 0",
     attr = "ellipsis_mask: int = 0",
     attr = "new_axis_mask: int = 0",
     attr = "shrink_axis_mask: int = 0",
     shape = shape_fns::strided_slice)]
pub struct StridedSlice;

/// Zeros of shape `shape` with `dy` in a strided region.
///
/// `shape` is that of the slice's input; `begin`, `end`, `strides` and the masks are those of the slice, and `dy` has
/// its shape. Every dtype; strings are empty beside the region.
#[op(
    "StridedSliceGrad",
    input = "shape: Index",
    input = "begin: Index",
    input = "end: Index",
    input = "strides: Index",
    input = "dy: T",
    output = "output: T",
    attr = "T: type",
    attr = "Index: {int32, int64}",
    attr = "begin_mask: int = 0",
    attr = "end_mask: int = 0",
    attr = "ellipsis_mask: int = 0",
    attr = "new_axis_mask: int = 0",
    attr = "shrink_axis_mask: int = 0"
)]
pub fn strided_slice_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(0)?;
    c.set_output(0, shape);
    Ok(())
}

/// `input` with `value` in a strided region.
///
/// The region is that of `StridedSlice` with the same `begin`, `end`, `strides` and masks; `value` broadcasts to the
/// slice's shape. Every dtype. The output takes the input's memory where nobody else needs it.
#[op("TensorStridedSliceUpdate",
     input = "input: T",
     input = "begin: Index",
     input = "end: Index",
     input = "strides: Index",
     input = "value: T",
     output = "output: T",
     attr = "T: type",
     attr = "Index: {int32, int64}",
     attr = "begin_mask: int = 0",
     attr = "end_mask: int = 0",
     attr = "ellipsis_mask: int = 0",
     attr = "new_axis_mask: int = 0",
     attr = "shrink_axis_mask: int = 0",
     shape = shape_fns::unchanged)]
pub struct TensorStridedSliceUpdate;
