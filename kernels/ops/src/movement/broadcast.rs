//! Broadcasting by copying.

use oplink::prelude::*;
use smallvec::SmallVec;

use super::{Axis, AxisList, CopyBackend, row_major_strides};

/// Elements from one position to the next along each axis of `to`, in a row-major tensor whose shape broadcasts to it:
/// 0 where the tensor is repeated.
pub fn broadcast_strides(dims: &[usize], to: &[usize]) -> SmallVec<[isize; 6]> {
    let strides = row_major_strides(dims);
    let added = to.len() - dims.len();
    let stride = |(axis, &count): (usize, &usize)| match axis.checked_sub(added) {
        Some(from) if dims[from] == count => strides[from],
        _ => 0,
    };
    to.iter().enumerate().map(stride).collect()
}

/// Writes `input`, broadcast to the shape of `out`.
pub fn stretch<B: CopyBackend>(env: Env<'_>, out: &mut Tensor, input: &Tensor) -> Result<()> {
    let strides = broadcast_strides(input.shape(), out.shape());
    let strided = |(&count, stride): (&usize, isize)| Axis::Strided { count, stride };
    let axes: AxisList<'_> = out.shape().iter().zip(strides).map(strided).collect();
    B::copy_axes(env, out, input, 0, &axes)
}
