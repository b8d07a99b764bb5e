//! Ranges of tensors, and those of NumPy's basic indexing.

use oplink::prelude::*;
use oplink::shape_fns::{StridedSliceDim, StridedSliceMasks};

use super::region::Region;
use crate::arguments;
use crate::array::{StridedSliceAttrs, StridedSliceGradAttrs, StridedSliceGradInputs};
use crate::movement::{Axis, AxisList, CopyBackend, row_major_strides};

/// `Slice` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn slice<B: CopyBackend>(
    input: &Tensor,
    begin: &Tensor,
    size: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (begin, size) = (arguments::few(begin, "begin")?, arguments::few(size, "size")?);
    let (begin, shape) = resolve(input.shape(), &begin, &size)?;
    let whole_rows = input.rank() > 0 && shape[1..] == input.shape()[1..];
    if shape == *input.shape() {
        output.set(input.clone());
    } else if whole_rows && B::may_share(input, begin[0]) {
        output.set(input.slice(begin[0], begin[0] + shape[0])?);
    } else {
        let strides = row_major_strides(input.shape());
        let base = begin.iter().zip(&strides).map(|(&begin, stride)| begin as isize * stride).sum();
        let axes = shape.iter().zip(&strides).map(|(&count, &stride)| Axis::Strided { count, stride });
        let axes = axes.collect::<AxisList<'_>>();
        B::copy_axes(env, output.allocate(shape)?, input, base, &axes)?;
    }
    Ok(())
}

/// The first position along each axis, and the shape of what is picked.
fn resolve(dims: &Shape, begin: &[i64], size: &[i64]) -> Result<(Shape, Shape)> {
    ensure!(
        begin.len() == dims.rank() && size.len() == dims.rank(),
        "begin {begin:?} and size {size:?} must have an element for each axis of shape {dims}"
    );
    let range = |axis: usize| {
        let size = if size[axis] == -1 { (dims[axis] as i64).checked_sub(begin[axis]) } else { Some(size[axis]) };
        match (usize::try_from(begin[axis]), size.map(usize::try_from)) {
            (Ok(first), Some(Ok(count))) if first.checked_add(count).is_some_and(|end| end <= dims[axis]) => {
                Ok((first, count))
            }
            _ => bail!("begin {begin:?} and size {size:?} leave axis {axis} of shape {dims}"),
        }
    };
    let (mut first, mut count) = (Shape::scalar(), Shape::scalar());
    for axis in 0..dims.rank() {
        let (begin, extent) = range(axis)?;
        first.push(begin);
        count.push(extent);
    }
    Ok((first, count))
}

/// `StridedSlice` in the memory of `B`; the vectors are `begin`, `end` and `strides`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn strided_slice<B: CopyBackend>(
    input: &Tensor,
    vectors: [&Tensor; 3],
    attrs: StridedSliceAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let masks = StridedSliceMasks {
        begin: attrs.begin_mask,
        end: attrs.end_mask,
        ellipsis: attrs.ellipsis_mask,
        new_axis: attrs.new_axis_mask,
        shrink_axis: attrs.shrink_axis_mask,
    };
    let region = Region::of(input.shape(), vectors, masks)?;
    if let Some(part) = shared::<B>(input, &region.dims, region.shape.num_elements())? {
        output.set(part.with_shape(region.shape)?);
        return Ok(());
    }
    let (base, axes) = region.axes(input.shape());
    B::copy_axes(env, output.allocate(region.shape)?, input, base, &axes)
}

/// The result's elements as a part of the input's memory, where they are contiguous in it and the memory allows it.
fn shared<B: CopyBackend>(input: &Tensor, dims: &[StridedSliceDim], count: usize) -> Result<Option<Tensor>> {
    let whole = |(dim, &size): (&StridedSliceDim, &usize)| dim.extent == Some(size) && dim.stride == 1;
    match dims.split_first() {
        None => Ok(Some(input.clone())),
        Some((first, rest)) if count > 0 && first.stride == 1 && rest.iter().zip(&input.shape()[1..]).all(whole) => {
            let start = first.begin as usize;
            let part = || input.slice(start, start + first.extent.unwrap_or(0));
            B::may_share(input, start).then(part).transpose()
        }
        _ => Ok(None),
    }
}

/// `StridedSliceGrad` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn strided_slice_grad<B: CopyBackend>(
    inputs: &StridedSliceGradInputs<'_>,
    attrs: StridedSliceGradAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let StridedSliceGradInputs { shape, begin, end, strides, dy } = inputs;
    let shape = arguments::shape(shape, "shape")?;
    let masks = StridedSliceMasks {
        begin: attrs.begin_mask,
        end: attrs.end_mask,
        ellipsis: attrs.ellipsis_mask,
        new_axis: attrs.new_axis_mask,
        shrink_axis: attrs.shrink_axis_mask,
    };
    let region = Region::of(&shape, [begin, end, strides], masks)?;
    ensure!(region.shape == *dy.shape(), "dy has the shape {} where the slice has {}", dy.shape(), region.shape);
    let (base, axes) = region.axes(&shape);
    let out = output.allocate(shape)?;
    B::fill(env, out, None)?;
    B::put_axes(env, out, base, &axes, dy)
}
