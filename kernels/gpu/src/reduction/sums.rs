//! `Sum`, `Mean` and `EuclideanNorm`. The 16-bit floats are summed in f32, integers wrap.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_cpu_reduction::sum_cpu;
use oplink_ops::reduction::{EuclideanNorm, Mean, Sum};

use crate::reduce::program::reduce_program;
use crate::reduce::{Fold, Steps, reduce, sums};

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
pub fn sum_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    reduce(context, sum_of(context.input(0).dtype()), |_| Steps::NONE)
}

/// `Sum` of integers that stay on the host, as shapes do.
#[kernel(Sum, device = GPU, T = [i32], Tidx = [i32, i64], host_memory = [input, reduction_indices, output])]
pub fn sum_on_host(context: &mut KernelContext<'_>) -> Result<()> {
    sum_cpu::<i32>(context)
}

/// `Mean` of floats.
#[kernel(Mean, device = GPU, T = [floats], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn mean_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let dtype = context.input(0).dtype();
    reduce(context, sums::of_floats(dtype), |count| Steps { divisor: count, ..Steps::NONE })
}

/// `EuclideanNorm` of floats.
#[kernel(EuclideanNorm, device = GPU, T = [floats], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn euclidean_norm_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let dtype = context.input(0).dtype();
    reduce(context, sums::of_floats(dtype), |_| Steps { before: sums::SQUARE, after: sums::ROOT, divisor: 1 })
}
