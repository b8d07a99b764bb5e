//! `Digamma`: the derivative of the logarithm of the gamma function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction;

/// Computes the logarithmic derivative of `Gamma(x)`; NaN at 0 and the negative integers.
#[op(
    "Digamma",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Digamma;

#[kernel(Digamma, device = CPU, T = [f16, f32, f64])]
fn digamma_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Digamma>(context)
}

impl MathFunction for Digamma {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        special::digamma(f64::from(x)) as f32
    }

    fn double(x: f64) -> f64 {
        special::digamma(x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Digamma",
            [[-3.5f32, -2.0, 0.0, 171.0, f32::INFINITY, f32::NAN].into()],
            [1.3888711f32, f32::NAN, f32::NAN, 5.1387367, f32::INFINITY, f32::NAN],
        );
        check(
            "Digamma",
            [[-0.25f64, 0.5, 1.0, 2.0, 100.5].into()],
            [2.914139120213528f64, -1.9635100260214227, -0.5772156649015323, 0.42278433509846747, 4.605174352581845],
        );
    }
}
