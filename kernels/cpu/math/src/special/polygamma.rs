//! `Polygamma`: derivatives of the digamma function.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, binary_function};
use oplink_ops::math::Polygamma;
use oplink_vmath::loops::MathFunction2;
use oplink_vmath::special;

#[kernel(Polygamma, device = CPU, T = [f32, f64])]
fn polygamma_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, PolygammaFunction>(context)
}

struct PolygammaFunction;

impl MathFunction2 for PolygammaFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(a: f32, x: f32) -> f32 {
        special::polygamma(a, x)
    }

    fn double(a: f64, x: f64) -> f64 {
        special::polygamma(a, x)
    }
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Polygamma",
            [[3.0f64, 1.0, 2.0, 0.5].into(), [1.0f64, 1.0, 1.0, 1.0].into()],
            [6.493939402266829f64, 1.6449340668482264, -2.4041138063191885, f64::NAN],
        );
    }
}
