//! `TensorStridedSliceUpdate`: a tensor with other values in a strided region.
//!
//! The region is that of `StridedSlice` with the same `begin`, `end`, `strides` and masks; `value` broadcasts to the
//! slice's shape. Every dtype. The output takes the input's memory where nobody else needs it.

use oplink::prelude::*;
use oplink::shape_fns::StridedSliceMasks;
use oplink_cpu_support::movement::{Axis, copy_axes_into, put_axes, row_major_strides};
use oplink_ops::array::copies::Region;
use oplink_ops::array::{TensorStridedSliceUpdate, TensorStridedSliceUpdateAttrs, TensorStridedSliceUpdateInputs};

/// `TensorStridedSliceUpdate` of every dtype.
#[kernel(TensorStridedSliceUpdate, device = CPU, T = any, Index = any, host_memory = [begin, end, strides])]
pub fn tensor_strided_slice_update_cpu(
    inputs: TensorStridedSliceUpdateInputs<'_>,
    attrs: TensorStridedSliceUpdateAttrs<'_>,
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
    let TensorStridedSliceUpdateInputs { input, begin, end, strides, value } = inputs;
    let region = Region::of(input.shape(), [&begin, &end, &strides], masks)?;
    let out = output.forward_or_copy(input)?;
    if region.shape.num_elements() == 0 {
        return Ok(());
    }
    let (base, axes) = region.axes(out.shape());
    put_axes(out, base, &axes, &stretched(env, &value, &region.shape)?)
}

/// `value` broadcast to `shape`.
///
/// # Errors
/// It does not broadcast, or memory runs out.
pub fn stretched(env: Env<'_>, value: &Tensor, shape: &Shape) -> Result<Tensor> {
    if value.shape() == shape {
        return Ok(value.clone());
    }
    // Leading extents of 1 that the slice lacks count as no axes.
    let extra = value.rank().saturating_sub(shape.rank());
    let value = match value.shape().split_at(extra) {
        (ones, rest) if ones.iter().all(|&one| one == 1) => value.clone().with_shape(rest)?,
        _ => value.clone(),
    };
    let stretched =
        oplink::shape_inference::broadcast_shapes(value.shape(), shape).ok().filter(|broadcast| broadcast == shape);
    ensure!(stretched.is_some(), "value of shape {} does not broadcast to the slice's shape {shape}", value.shape());
    let mut whole = env.allocate(value.dtype(), shape.clone())?;
    let strides = row_major_strides(value.shape());
    let skip = shape.rank().saturating_sub(value.rank());
    let stride = |axis: usize| {
        let own = axis.checked_sub(skip).filter(|&own| value.shape()[own] != 1);
        own.map_or(0, |own| strides[own])
    };
    let from: Vec<_> = (0..shape.rank()).map(|at| Axis::Strided { count: shape[at], stride: stride(at) }).collect();
    copy_axes_into(&env, &mut whole, &value, 0, &from)?;
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    fn update(value: impl Into<Tensor>) -> [Tensor; 5] {
        let input = Tensor::from_vec([2, 3], (0..6).collect::<Vec<i32>>()).unwrap();
        [input, [0, 2].into(), [2, 0].into(), [1, -1].into(), value.into()]
    }

    #[test]
    fn writes_a_region() {
        let out = |values: Vec<i32>| Tensor::from_vec([2, 3], values).unwrap();
        let whole = Tensor::from_vec([2, 2], vec![9, 8, 7, 6]).unwrap();
        check("TensorStridedSliceUpdate", update(whole), out(vec![0, 8, 9, 3, 6, 7]));
        check("TensorStridedSliceUpdate", update([9, 8]), out(vec![0, 8, 9, 3, 8, 9]));
        check("TensorStridedSliceUpdate", update(7), out(vec![0, 7, 7, 3, 7, 7]));
        check_error("TensorStridedSliceUpdate", update([1, 2, 3]), "does not broadcast to the slice's shape [2,2]");
    }
}
