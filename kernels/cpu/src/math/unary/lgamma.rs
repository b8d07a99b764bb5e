//! `Lgamma`: the logarithm of the gamma function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vectorize::MathFunction;

/// Computes the logarithm of the absolute value of `Gamma(x)`; infinite at 0 and the negative integers.
#[op(
    "Lgamma",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Lgamma;

#[kernel(Lgamma, device = CPU, T = [f16, f32, f64])]
fn lgamma_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Lgamma>(context)
}

impl MathFunction for Lgamma {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        libm::lgamma(f64::from(x)) as f32
    }

    fn double(x: f64) -> f64 {
        libm::lgamma(x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Lgamma",
            [[-3.5f32, -2.0, -0.5, 0.0, 0.5, 1.0, 2.0, 171.0, f32::INFINITY, f32::NAN].into()],
            [
                -1.3090067f32,
                f32::INFINITY,
                1.2655121,
                f32::INFINITY,
                0.5723649,
                0.0,
                0.0,
                706.57306,
                f32::INFINITY,
                f32::NAN,
            ],
        );
        check("Lgamma", [[-0.5f64, 100.5].into()], [1.2655121234846454f64, 361.4355404677776]);
    }
}
