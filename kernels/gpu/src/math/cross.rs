//! `Cross`: products of vectors in space, in the arithmetic of their dtype.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::math::{Cross, check_cross};

use crate::movement::words;

/// `Cross` of vectors along the last axis.
///
/// # Errors
/// Shapes that differ, or other vectors (code FailedPrecondition); the device refuses.
#[kernel(Cross, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64])]
pub fn cross_gpu(a: &Tensor, b: &Tensor, mut product: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    check_cross(a.shape(), b.shape())?;
    let out = product.allocate(a.shape().clone())?;
    let count = out.num_elements();
    if count == 0 {
        return Ok(());
    }
    products { a, b, out, count: words(count)? }.launch(env.device()?, a.dtype(), products::blocks(count))
}

/// A thread for each element.
#[program(block = 256, T = [f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64])]
fn products<T: Real>(a: &[T], b: &[T], out: &mut [T], count: u32) {
    for at in grid_stride(count) {
        let (first, axis) = (at - at % 3, at % 3);
        let next = (first + (axis + 1) % 3) as usize;
        let last = (first + (axis + 2) % 3) as usize;
        out[at as usize] = a[next] * b[last] - a[last] * b[next];
    }
}
