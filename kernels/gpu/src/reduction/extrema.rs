//! `Max` and `Min`. NaN wins over every other value.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_ops::reduction::{Max, Min};

use crate::reduce::program::reduce_program;
use crate::reduce::{Reduction, Steps};

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
pub fn max_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let reduction = Reduction { input, axes: reduction_indices, keep_dims, output, env };
    reduction.run(&LARGEST, |_| Steps::NONE)
}

/// `Min` of elements in the device's memory.
#[kernel(Min, device = GPU, T = [floats, i64], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn min_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let reduction = Reduction { input, axes: reduction_indices, keep_dims, output, env };
    reduction.run(&SMALLEST, |_| Steps::NONE)
}
