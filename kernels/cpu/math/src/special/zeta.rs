//! `Zeta`: the Hurwitz zeta function.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, binary_function};
use oplink_ops::math::Zeta;
use oplink_vmath::loops::MathFunction2;
use oplink_vmath::special;

#[kernel(Zeta, device = CPU, T = [f32, f64])]
fn zeta_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, ZetaFunction>(context)
}

struct ZetaFunction;

impl MathFunction2 for ZetaFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32, q: f32) -> f32 {
        special::zeta(x, q)
    }

    fn double(x: f64, q: f64) -> f64 {
        special::zeta(x, q)
    }
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Zeta",
            [[2.0f64, 1.0, 0.5, 2.0, 3.0, 1.0].into(), [1.0f64, 1.0, 1.0, 0.0, -1.0, f64::NAN].into()],
            [1.6449340668482264f64, f64::INFINITY, f64::NAN, f64::INFINITY, f64::NAN, f64::INFINITY],
        );
    }
}
