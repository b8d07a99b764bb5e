//! `BesselI0e`: a modified Bessel function, scaled.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, unary_function};
use oplink_ops::math::BesselI0e;
use oplink_vmath::loops::MathFunction;
use oplink_vmath::special;

#[kernel(BesselI0e, device = CPU, T = [f16, f32, f64])]
fn bessel_i0e_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, BesselI0eFunction>(context)
}

struct BesselI0eFunction;

impl MathFunction for BesselI0eFunction {
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
    use oplink_cpu_support::testing::check;

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
