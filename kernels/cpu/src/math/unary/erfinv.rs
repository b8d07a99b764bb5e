//! `Erfinv`: the inverse error function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction;

/// Computes the inverse of `Erf`; infinite at -1 and 1, NaN beyond.
#[op(
    "Erfinv",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Erfinv;

#[kernel(Erfinv, device = CPU, T = [f32, f64])]
fn erfinv_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Erfinv>(context)
}

impl MathFunction for Erfinv {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        special::erfinv(f64::from(x)) as f32
    }

    fn double(x: f64) -> f64 {
        special::erfinv(x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Erfinv",
            [[-2.0f32, -1.0, -0.5, 0.0, 0.99, 1.0, f32::NAN].into()],
            [f32::NAN, -f32::INFINITY, -0.4769363, 0.0, 1.8213865, f32::INFINITY, f32::NAN],
        );
        check("Erfinv", [[-0.5f64, 0.9999].into()], [-0.4769362762044699f64, 2.75106390571208]);
    }
}
