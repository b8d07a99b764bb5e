//! `Polygamma`: derivatives of the digamma function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, binary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction2;

/// Computes the derivative of order `a` of the digamma function at `x`.
///
/// NaN where `a` is no integer or negative.
///
/// The shapes of the inputs broadcast.
#[op(
    "Polygamma",
    input = "a: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Polygamma;

#[kernel(Polygamma, device = CPU, T = [f32, f64])]
fn polygamma_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, Polygamma>(context)
}

impl MathFunction2 for Polygamma {
    #[inline(always)]
    fn single<const FUSED: bool>(a: f32, x: f32) -> f32 {
        special::polygamma(a, x)
    }

    fn double(a: f64, x: f64) -> f64 {
        special::polygamma(a, x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Polygamma",
            [[3.0f64, 1.0, 2.0, 0.5].into(), [1.0f64, 1.0, 1.0, 1.0].into()],
            [6.493939402266829f64, 1.6449340668482264, -2.4041138063191885, f64::NAN],
        );
    }
}
