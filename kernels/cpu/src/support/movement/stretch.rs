//! Broadcasting by copying.

use oplink::prelude::*;

use super::{Axis, AxisList, Mover, row_major_strides};

/// `input` stretched to `shape`, which it broadcasts to, as the value of an output.
pub fn stretch<M: Mover>(context: &KernelContext<'_>, output: usize, input: &Tensor, shape: &Shape) -> Result<Tensor> {
    let dims = input.shape();
    let strides = row_major_strides(dims);
    let added = shape.rank() - dims.rank();
    let axis = |(axis, &count): (usize, &usize)| match axis.checked_sub(added) {
        Some(from) if dims[from] == count => Axis::Strided { count, stride: strides[from] },
        _ => Axis::Strided { count, stride: 0 },
    };
    let axes: AxisList<'_> = shape.iter().enumerate().map(axis).collect();
    M::copy_axes(context, output, shape.clone(), input, 0, &axes)
}
