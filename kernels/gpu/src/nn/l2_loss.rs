//! `L2Loss`: half the sum of squares, a scalar, summed in f32.

use oplink::gpu::{barrier, block_dim, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_kernels_cpu::ops::L2Loss;

use super::extents::{blocks, extent};
use super::parts::add_up;

/// Elements that a block sums, as a rule.
const ELEMENTS: usize = 256 * 16;
/// The most parts that are summed.
const MAX_PARTS: u32 = 512;

/// Half the sum of the squares of `t`.
///
/// # Errors
/// The device refuses.
#[kernel(L2Loss, device = GPU, T = [f16, bf16, f32])]
pub fn l2_loss_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let t = context.input(0);
    let output = context.allocate_output(0, Shape::new(&[]))?;
    let device = context.device()?;
    let parts = blocks(t.num_elements(), ELEMENTS).clamp(1, MAX_PARTS);
    let sums = device.allocate(DType::Float, Shape::new(&[parts as usize]))?;
    squares::launch(device, t.dtype(), [parts, 1, 1], t, &sums, extent(t.num_elements())?)?;
    add_up(device, &sums, 0.5, &output)?;
    context.set_output(0, output);
    Ok(())
}

/// The sum of a block's share of the squares.
#[program(block = 256, T = [f16, bf16, f32])]
fn squares<T: Float>(t: &[T], sums: &mut [f32], count: u32) {
    let mut partial = shared::<f32, 256>();
    let thread = thread_index().x;
    let mut sum = 0.0f32;
    let mut at = (block_index().x * block_dim().x + thread) as u32;
    while at < count {
        let value = t[at as usize].to_f32();
        sum += value * value;
        at += (grid_dim().x * block_dim().x) as u32;
    }
    partial[thread] = sum;
    barrier();
    let mut half = 128;
    while half > 0 {
        if thread < half {
            partial[thread] += partial[thread + half];
        }
        barrier();
        half /= 2;
    }
    if thread == 0 {
        sums[block_index().x] = partial[0];
    }
}
