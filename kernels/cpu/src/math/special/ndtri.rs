//! `Ndtri`: quantiles of the normal distribution.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction;

/// Computes the number below which a standard normal variable lies with probability `x`.
///
/// Infinite at 0 and 1, NaN beyond.
#[op(
    "Ndtri",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Ndtri;

#[kernel(Ndtri, device = CPU, T = [f32, f64])]
fn ndtri_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Ndtri>(context)
}

impl MathFunction for Ndtri {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        special::ndtri(x)
    }

    fn double(x: f64) -> f64 {
        special::ndtri(x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Ndtri",
            [[0.0f32, 1.0, 0.5, -0.1, 1.0e-30].into()],
            [f32::NEG_INFINITY, f32::INFINITY, 0.0, f32::NAN, -11.464025],
        );
    }
}
