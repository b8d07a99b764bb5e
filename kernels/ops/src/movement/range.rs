//! Ranges along one axis.

use oplink::prelude::*;

use super::axes::{Axis, row_major_strides};
use super::backend::CopyBackend;

/// Sets an output to positions `start..start + count` along `axis` of `input`, under `shape`. Shares memory where they
/// are contiguous in it and the memory allows it.
pub fn take_range<B: CopyBackend>(
    env: Env<'_>,
    output: &mut OutputSlot<'_>,
    input: &Tensor,
    axis: usize,
    (start, count): (usize, usize),
    shape: Shape,
) -> Result<()> {
    let dims = input.shape().dims();
    let outer = dims[..axis].iter().product();
    let inner = dims[axis + 1..].iter().product();
    if count == dims[axis] {
        output.set(input.clone().with_shape(shape)?);
        return Ok(());
    }
    if outer == 1 {
        let rows = input.clone().with_shape([dims[axis], inner])?;
        if B::may_share(&rows, start) {
            output.set(rows.slice(start, start + count)?.with_shape(shape)?);
            return Ok(());
        }
    }
    let row = row_major_strides(&[outer, dims[axis], inner])[0];
    let axes = [Axis::Strided { count: outer, stride: row }, Axis::Strided { count: count * inner, stride: 1 }];
    B::copy_axes(env, output.allocate(shape)?, input, (start * inner) as isize, &axes)
}
