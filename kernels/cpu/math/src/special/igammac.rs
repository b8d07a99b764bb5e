//! `Igammac`: the upper incomplete gamma function.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, binary_function};
use oplink_ops::math::Igammac;
use oplink_vmath::loops::MathFunction2;
use oplink_vmath::special;

#[kernel(Igammac, device = CPU, T = [f32, f64])]
fn igammac_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, IgammacFunction>(context)
}

struct IgammacFunction;

impl MathFunction2 for IgammacFunction {
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
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Igammac",
            [[2.0f64, 1.0, 0.0, 1.0].into(), [3.0f64, 0.0, 0.0, f64::INFINITY].into()],
            [0.1991482734714558f64, 1.0, f64::NAN, 0.0],
        );
    }
}
