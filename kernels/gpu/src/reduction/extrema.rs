//! `Max` and `Min`. NaN wins over every other value.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_cpu_reduction::{max_cpu, min_cpu};
use oplink_ops::reduction::{Max, Min};

use crate::reduce::program::reduce_program;
use crate::reduce::{Steps, reduce};

reduce_program! {
    /// The largest elements.
    largest as LARGEST<T: Real = [f32, f16, bf16, f64, i64]>(T => T)
    in T, None, T::LOWEST, |dtypes| [dtypes[0],],
    (steps, divisor)
    load |value| value,
    join |a, b| if a > b || a.is_nan_value() { a } else { b },
    finish |total| total
}

reduce_program! {
    /// The smallest elements.
    smallest as SMALLEST<T: Real = [f32, f16, bf16, f64, i64]>(T => T)
    in T, None, T::HIGHEST, |dtypes| [dtypes[0],],
    (steps, divisor)
    load |value| value,
    join |a, b| if a < b || a.is_nan_value() { a } else { b },
    finish |total| total
}

/// `Max` of elements in the device's memory.
#[kernel(Max, device = GPU, T = [floats, i64], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn max_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    reduce(context, &LARGEST, |_| Steps::NONE)
}

/// `Max` of integers that stay on the host, as shapes do.
#[kernel(Max, device = GPU, T = [i32], Tidx = [i32, i64], host_memory = [input, reduction_indices, output])]
pub fn max_on_host(context: &mut KernelContext<'_>) -> Result<()> {
    max_cpu::<i32>(context)
}

/// `Min` of elements in the device's memory.
#[kernel(Min, device = GPU, T = [floats, i64], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn min_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    reduce(context, &SMALLEST, |_| Steps::NONE)
}

/// `Min` of integers that stay on the host, as shapes do.
#[kernel(Min, device = GPU, T = [i32], Tidx = [i32, i64], host_memory = [input, reduction_indices, output])]
pub fn min_on_host(context: &mut KernelContext<'_>) -> Result<()> {
    min_cpu::<i32>(context)
}
