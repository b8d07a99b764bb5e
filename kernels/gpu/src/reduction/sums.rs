//! `Sum`, `Mean` and `EuclideanNorm`. The 16-bit floats are summed in f32, integers wrap.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_ops::reduction::{EuclideanNorm, Mean, Sum};

use crate::reduce::program::reduce_program;
use crate::reduce::{Fold, Reduction, Steps, sums};

reduce_program! {
    /// Sums of integers.
    sum_of_integers as INTEGERS<>(i64 => i64)
    in i64, None, 0_i64, |_dtypes| [],
    (steps, divisor)
    load |value| value,
    join |a, b| a + b,
    finish |total| total
}

/// The reduction of a sum.
fn sum_of(dtype: DType) -> &'static Fold {
    if dtype == DType::Int64 { &INTEGERS } else { sums::of_floats(dtype) }
}

/// `Sum` of elements in the device's memory.
#[kernel(Sum, device = GPU, T = [floats, i64], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn sum_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let reduction = Reduction { input, axes: reduction_indices, keep_dims, output, env };
    reduction.run(sum_of(input.dtype()), |_| Steps::NONE)
}

/// `Mean` of floats.
#[kernel(Mean, device = GPU, T = [floats], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn mean_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let reduction = Reduction { input, axes: reduction_indices, keep_dims, output, env };
    reduction.run(sums::of_floats(input.dtype()), |count| Steps { divisor: count, ..Steps::NONE })
}

/// `EuclideanNorm` of floats.
#[kernel(EuclideanNorm, device = GPU, T = [floats], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn euclidean_norm_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let reduction = Reduction { input, axes: reduction_indices, keep_dims, output, env };
    reduction.run(sums::of_floats(input.dtype()), |_| Steps { before: sums::SQUARE, after: sums::ROOT, divisor: 1 })
}
