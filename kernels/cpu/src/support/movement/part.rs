//! Ranges along one axis.

use oplink::prelude::*;

use super::axes::{Axis, row_major_strides};
use super::mover::Mover;

/// Positions `start..start + count` along `axis` of `input`, under `shape`, as an output. Shares memory where they stand
/// together in it and the memory allows it.
pub fn take_range<M: Mover>(
    context: &KernelContext<'_>,
    output: usize,
    input: &Tensor,
    axis: usize,
    start: usize,
    count: usize,
    shape: Shape,
) -> Result<Tensor> {
    let dims = input.shape().dims();
    let outer = dims[..axis].iter().product();
    let inner = dims[axis + 1..].iter().product();
    if count == dims[axis] {
        return input.clone().with_shape(shape);
    }
    if outer == 1 {
        let rows = input.clone().with_shape([dims[axis], inner])?;
        if M::may_share(&rows, start) {
            return rows.slice(start, start + count)?.with_shape(shape);
        }
    }
    let row = row_major_strides(&[outer, dims[axis], inner])[0];
    let axes = [Axis::Strided { count: outer, stride: row }, Axis::Strided { count: count * inner, stride: 1 }];
    M::copy_axes(context, output, shape, input, (start * inner) as isize, &axes)
}
