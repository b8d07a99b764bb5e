//! `Igammac`: the upper incomplete gamma function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, binary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction2;

/// Computes the regularised upper incomplete gamma function `Q(a, x) = 1 - P(a, x)`.
///
/// NaN where `a` is not positive or `x` negative.
///
/// The shapes of the inputs broadcast.
#[op(
    "Igammac",
    input = "a: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Igammac;

#[kernel(Igammac, device = CPU, T = [f32, f64])]
fn igammac_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, Igammac>(context)
}

impl MathFunction2 for Igammac {
    #[inline(always)]
    fn single<const FUSED: bool>(a: f32, x: f32) -> f32 {
        special::igammac(a, x)
    }

    fn double(a: f64, x: f64) -> f64 {
        special::igammac(a, x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Igammac",
            [[2.0f64, 1.0, 0.0, 1.0].into(), [3.0f64, 0.0, 0.0, f64::INFINITY].into()],
            [0.1991482734714558f64, 1.0, f64::NAN, 0.0],
        );
    }
}
