//! Sums that are made in parts, added up.

use oplink::device::DeviceContext;
use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;

use super::extents::extent;

/// Sets `output` to `factor` times the sums of the parts, f32 [parts, elements of the output].
///
/// # Errors
/// The device refuses.
pub(super) fn add_up(device: &dyn DeviceContext, parts: &Tensor, factor: f32, output: &Tensor) -> Result<()> {
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let number = extent(parts.num_elements() / count)?;
    let grid = sums_of_parts::blocks(count);
    sums_of_parts { parts, output, count: extent(count)?, number, factor }.launch(device, output.dtype(), grid)
}

/// A thread for each sum.
#[program(block = 256, T = [f16, bf16, f32])]
fn sums_of_parts<T: Float>(parts: &[f32], output: &mut [T], count: u32, number: u32, factor: f32) {
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let mut sum = 0.0f32;
        for part in 0..number {
            sum += parts[(part * count + at) as usize];
        }
        output[at as usize] = T::from_f32(sum * factor);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}
