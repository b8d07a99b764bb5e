//! Kernels for GPUs: on CUDA tensors of PyTorch, JAX and ONNX Runtime where the crate is built with the feature `gpu`.
//! The functions are translated to CUDA C++ when the crate is built, and compiled by NVRTC when they first run.

use oplink::gpu::{Launch, barrier, block_dim, block_index, shared, thread_index};
use oplink::prelude::*;

use crate::elementwise::PlainAdd;
use crate::reduce::RowSums;

/// A formula: one element of the output of one of each input.
#[kernel(PlainAdd, device = GPU, T = [f16, f32, f64, i32], scalar = same_shape)]
pub fn plain_add_gpu<T: Real>(x: T, y: T) -> T {
    x + y
}

/// A function over a grid of threads: each block sums a row.
#[kernel(RowSums, device = GPU, T = [f32], block = 64, launch = rows)]
pub fn row_sums_gpu(x: &[f32], sums: &mut [f32], columns: u32) {
    let mut partial = shared::<f32, 64>();
    let me = thread_index().x;
    let columns = columns as usize;
    let start = block_index().x * columns;
    let mut sum = 0.0;
    for i in (me..columns).step_by(block_dim().x) {
        sum += x[start + i];
    }
    partial[me] = sum;
    barrier();
    let mut half = 32;
    while half > 0 {
        if me < half {
            partial[me] += partial[me + half];
        }
        barrier();
        half /= 2;
    }
    if me == 0 {
        sums[block_index().x] = partial[0];
    }
}

/// A block for each row. Devices take 65535 blocks in a direction.
fn rows(c: &KernelContext<'_>) -> Result<Launch> {
    let &[rows, columns] = &**c.input(0).shape() else { bail!("x is no matrix") };
    ensure!(rows <= 65_535, "{rows} rows are more than 65535");
    Ok(Launch::blocks(rows).scalar("columns", u32::try_from(columns).map_err(|_| too_wide(columns))?))
}

fn too_wide(columns: usize) -> Error {
    Error::invalid_argument(format!("{columns} columns are too many"))
}
