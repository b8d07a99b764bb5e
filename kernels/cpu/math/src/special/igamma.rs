//! `Igamma`: the lower incomplete gamma function.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, binary_function};
use oplink_ops::math::Igamma;
use oplink_vmath::loops::MathFunction2;
use oplink_vmath::special;

#[kernel(Igamma, device = CPU, T = [f32, f64])]
fn igamma_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, IgammaFunction>(context)
}

struct IgammaFunction;

impl MathFunction2 for IgammaFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(a: f32, x: f32) -> f32 {
        special::igamma(a, x)
    }

    fn double(a: f64, x: f64) -> f64 {
        special::igamma(a, x)
    }
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Igamma",
            [[2.0f64, 1.0, 0.0, -1.0].into(), [3.0f64, 0.0, 1.0, 1.0].into()],
            [0.8008517265285442f64, 0.0, f64::NAN, f64::NAN],
        );
    }
}
