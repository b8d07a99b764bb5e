//! `Prod`. The 16-bit floats are multiplied in f32, integers wrap.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_ops::reduction::Prod;

use crate::reduce::program::reduce_program;
use crate::reduce::{Fold, Reduction, Steps};

reduce_program! {
    /// Products in single precision.
    product_of_floats as FLOATS<T: Float = [f32, f16, bf16], U: Float = [f32, f16, bf16]>(T => U)
    in f32, Some(DType::Float), 1.0_f32, |dtypes| [dtypes,],
    (steps, divisor)
    load |value| value.to_f32(),
    join |a, b| a * b,
    finish |total| U::from_f32(total)
}

reduce_program! {
    /// Products of wide numbers.
    product as WIDE<T: Number = [f64, i64]>(T => T)
    in T, None, T::one(), |dtypes| [dtypes[0],],
    (steps, divisor)
    load |value| value,
    join |a, b| a * b,
    finish |total| total
}

fn product_of(dtype: DType) -> &'static Fold {
    if matches!(dtype, DType::Double | DType::Int64) { &WIDE } else { &FLOATS }
}

/// `Prod` of elements in the device's memory.
#[kernel(Prod, device = GPU, T = [floats, i64], Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn prod_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let reduction = Reduction { input, axes: reduction_indices, keep_dims, output, env };
    reduction.run(product_of(input.dtype()), |_| Steps::NONE)
}
