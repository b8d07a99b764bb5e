//! Integers in a range.

use oplink::prelude::*;

use super::{Integers, RandomBackend, output_shape};
use crate::philox::Philox;

/// Sets the output to numbers in the range between `minval` and `maxval`, drawn from the position that `start` gives
/// for so many.
///
/// # Errors
/// The inputs have wrong shapes, there is no number in the range, memory runs out, or `start` or `B` fails.
pub fn draw_integers<B: RandomBackend<Integers>>(
    shape: &Tensor,
    (minval, maxval): (&Tensor, &Tensor),
    start: impl FnOnce(usize) -> Result<Philox>,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let out = output.allocate(output_shape(shape)?)?;
    let start = start(out.num_elements())?;
    if out.num_elements() > 0 { B::fill(env, out, start, &integers_between(minval, maxval)?) } else { Ok(()) }
}

/// The integers from `minval` on that are below `maxval`.
///
/// # Errors
/// The bounds are no scalars of int32 or int64, or there is no number between them.
pub fn integers_between(minval: &Tensor, maxval: &Tensor) -> Result<Integers> {
    match minval.dtype() {
        DType::Int32 => range::<i32>(minval, maxval),
        _ => range::<i64>(minval, maxval),
    }
}

/// The integers from `low` on that are below `high`.
fn range<T: Integer + Into<i64>>(low: &Tensor, high: &Tensor) -> Result<Integers> {
    for (bound, name) in [(low, "minval"), (high, "maxval")] {
        ensure!(bound.rank() == 0, "{name} must be a scalar, its shape is {}", bound.shape());
    }
    let (low, high) = (low.to_scalar::<T>()?, high.to_scalar::<T>()?);
    ensure!(low < high, "minval must be < maxval, they are {low:?} and {high:?}");
    let low = low.into();
    Ok(Integers { low, extent: high.into().wrapping_sub(low) as u64 })
}
