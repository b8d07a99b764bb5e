//! `Bucketize`: the number of boundaries that do not exceed each element. Integers are compared as floats.

use num_traits::AsPrimitive;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::array::Bucketize;

use crate::movement::{clear, words};

/// `Bucketize` in the device's memory.
///
/// # Errors
/// Boundaries that fall; the device refuses.
#[kernel(Bucketize, device = GPU, T = [i32, i64, f32, f64])]
pub fn bucketize_gpu(input: &Tensor, boundaries: &[f32], mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!(!boundaries.windows(2).any(|pair| pair[1] < pair[0]), "boundaries must rise, they are {boundaries:?}");
    let out = output.allocate(input.shape().clone())?;
    let (device, count) = (env.device()?, out.num_elements());
    if count == 0 {
        return Ok(());
    }
    if boundaries.is_empty() {
        return clear(device, out);
    }
    let (boundaries, ends) = (&device.copy_to_device(&Tensor::from_slice(boundaries))?, words(boundaries.len())?);
    let count_of = words(count)?;
    if input.dtype() == DType::Double {
        let program = buckets_of_doubles { input, boundaries, out, ends, count: count_of };
        return program.launch(device, buckets_of_doubles::blocks(count));
    }
    buckets { input, boundaries, out, ends, count: count_of }.launch(device, input.dtype(), buckets::blocks(count))
}

/// A thread for each element, which bisects the boundaries.
#[program(block = 256, T = [i32, i64, f32])]
fn buckets<T: Number + AsPrimitive<f32>>(input: &[T], boundaries: &[f32], out: &mut [i32], ends: u32, count: u32) {
    for at in grid_stride(count) {
        let value: f32 = input[at as usize].as_();
        let mut low = 0_u32;
        let mut high = ends;
        while low < high {
            let middle = low + (high - low) / 2;
            if value < boundaries[middle as usize] {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        out[at as usize] = low as i32;
    }
}

/// As [`buckets`], in double precision.
#[program(block = 256)]
fn buckets_of_doubles(input: &[f64], boundaries: &[f32], out: &mut [i32], ends: u32, count: u32) {
    for at in grid_stride(count) {
        let value = input[at as usize];
        let mut low = 0_u32;
        let mut high = ends;
        while low < high {
            let middle = low + (high - low) / 2;
            if value < boundaries[middle as usize] as f64 {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        out[at as usize] = low as i32;
    }
}
