//! `Igamma`: the lower incomplete gamma function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, binary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction2;

/// Computes the regularised lower incomplete gamma function `P(a, x)`.
///
/// NaN where `a` is not positive or `x` negative; 0 where `x` is 0.
///
/// The shapes of the inputs broadcast.
#[op(
    "Igamma",
    input = "a: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Igamma;

#[kernel(Igamma, device = CPU, T = [f32, f64])]
fn igamma_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, Igamma>(context)
}

impl MathFunction2 for Igamma {
    #[inline(always)]
    fn single<const FUSED: bool>(a: f32, x: f32) -> f32 {
        special::igamma(a, x)
    }

    fn double(a: f64, x: f64) -> f64 {
        special::igamma(a, x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Igamma",
            [[2.0f64, 1.0, 0.0, -1.0].into(), [3.0f64, 0.0, 1.0, 1.0].into()],
            [0.8008517265285442f64, 0.0, f64::NAN, f64::NAN],
        );
    }
}
