//! `BesselI0e`: a modified Bessel function, scaled.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction;

/// Computes `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
#[op(
    "BesselI0e",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselI0e;

#[kernel(BesselI0e, device = CPU, T = [f16, f32, f64])]
fn bessel_i0e_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, BesselI0e>(context)
}

impl MathFunction for BesselI0e {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        special::bessel_i0e(x)
    }

    fn double(x: f64) -> f64 {
        special::bessel_i0e(x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "BesselI0e",
            [[0.0f32, 1.0, -1.0, 100.0, f32::INFINITY, f32::NAN].into()],
            [1.0f32, 0.4657596, 0.4657596, 0.03994438, 0.0, f32::NAN],
        );
        check("BesselI0e", [[1.7e308f64, 12.0].into()], [3.059_747_616_388_294e-155f64, 0.116_426_221_213_440_44]);
    }
}
