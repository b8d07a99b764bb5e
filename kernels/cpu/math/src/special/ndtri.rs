//! `Ndtri`: quantiles of the normal distribution.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, unary_function};
use oplink_ops::math::Ndtri;
use oplink_vmath::loops::MathFunction;
use oplink_vmath::special;

#[kernel(Ndtri, device = CPU, T = [f32, f64])]
fn ndtri_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, NdtriFunction>(context)
}

struct NdtriFunction;

impl MathFunction for NdtriFunction {
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
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Ndtri",
            [[0.0f32, 1.0, 0.5, -0.1, 1.0e-30].into()],
            [f32::NEG_INFINITY, f32::INFINITY, 0.0, f32::NAN, -11.464025],
        );
    }
}
