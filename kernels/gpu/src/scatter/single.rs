//! Sums in single precision, for outputs of any float.

use oplink::device::DeviceContext;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;

use crate::movement::words;

/// Writes sums that `sum` makes in a tensor of f32, whose memory holds anything before, to `out`, rounded to its float.
///
/// # Errors
/// What `sum` returns; memory runs out; the device refuses.
pub(crate) fn summed_in_single(
    device: &dyn DeviceContext,
    out: &Tensor,
    sum: impl FnOnce(&Tensor) -> Result<()>,
) -> Result<()> {
    if out.dtype() == DType::Float {
        return sum(out);
    }
    let (sums, count) = (device.allocate(DType::Float, out.shape().clone())?, out.num_elements());
    sum(&sums)?;
    rounded { sums: &sums, out, count: words(count)? }.launch(device, out.dtype(), rounded::blocks(count))
}

/// A thread for each element.
#[program(block = 256, T = [f16, bf16])]
fn rounded<T: Float>(sums: &[f32], out: &mut [T], count: u32) {
    for at in grid_stride(count) {
        out[at as usize] = T::from_f32(sums[at as usize]);
    }
}
