//! Broadcasting by copying.

use oplink::prelude::*;

use super::{Axis, AxisList, CopyBackend, row_major_strides};

/// Writes `input`, broadcast to the shape of `out`.
pub fn stretch<B: CopyBackend>(env: Env<'_>, out: &mut Tensor, input: &Tensor) -> Result<()> {
    let dims = input.shape();
    let strides = row_major_strides(dims);
    let mut axes = AxisList::new();
    let added = out.rank() - dims.rank();
    for (axis, &count) in out.shape().iter().enumerate() {
        let stride = match axis.checked_sub(added) {
            Some(from) if dims[from] == count => strides[from],
            _ => 0,
        };
        axes.push(Axis::Strided { count, stride });
    }
    B::copy_axes(env, out, input, 0, &axes)
}
