//! `BesselI1e`: a modified Bessel function, scaled.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, unary_function};
use oplink_ops::math::BesselI1e;
use oplink_vmath::loops::MathFunction;
use oplink_vmath::special;

#[kernel(BesselI1e, device = CPU, T = [f16, f32, f64])]
fn bessel_i1e_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, BesselI1eFunction>(context)
}

struct BesselI1eFunction;

impl MathFunction for BesselI1eFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        special::bessel_i1e(x)
    }

    fn double(x: f64) -> f64 {
        special::bessel_i1e(x)
    }
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "BesselI1e",
            [[0.0f32, 1.0, -1.0, 100.0, f32::NEG_INFINITY, f32::NAN].into()],
            [0.0f32, 0.20791042, -0.20791042, 0.039744154, -0.0, f32::NAN],
        );
    }
}
