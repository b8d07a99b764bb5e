//! Sums, of squares too, and their quotients and roots.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;

use super::program::reduce_program;
use super::{Fold, Steps};

/// The step before: elements are squared.
pub(crate) const SQUARE: u32 = 1;
/// The step after: the quotient's square root is taken.
pub(crate) const ROOT: u32 = 2;

reduce_program! {
    /// Sums in single precision.
    sum_of_floats as FLOATS<T: Float = [f32, f16, bf16], U: Float = [f32, f16, bf16]>(T => U)
    in f32, Some(DType::Float), 0.0_f32, |dtypes| [dtypes,],
    (steps, divisor)
    load |value| if steps & 1 == 1 { value.to_f32() * value.to_f32() } else { value.to_f32() },
    join |a, b| a + b,
    finish |total| U::from_f32(if steps & 2 == 2 { (total / divisor as f32).sqrt() } else { total / divisor as f32 })
}

reduce_program! {
    /// Sums in double precision.
    sum_of_doubles as DOUBLES<>(f64 => f64)
    in f64, None, 0.0_f64, |_dtypes| [],
    (steps, divisor)
    load |value| if steps & 1 == 1 { value * value } else { value },
    join |a, b| a + b,
    finish |total| if steps & 2 == 2 { (total / divisor as f64).sqrt() } else { total / divisor as f64 }
}

/// Sums of floats, with all steps.
pub(crate) fn of_floats(dtype: DType) -> &'static Fold {
    if dtype == DType::Double { &DOUBLES } else { &FLOATS }
}

/// Squares before, a quotient after.
pub(crate) const fn squared(divisor: u32) -> Steps {
    Steps { before: SQUARE, after: 0, divisor }
}
