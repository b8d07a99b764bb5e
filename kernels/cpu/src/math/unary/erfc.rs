//! `Erfc`: the complementary error function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// Computes `1 - erf(x)`, accurately for large `x`.
#[op(
    "Erfc",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Erfc;

#[kernel(Erfc, device = CPU, T = [f16, bf16, f32, f64])]
fn erfc_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Erfc>(context)
}

impl MathFunction for Erfc {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        vector::erfc::<FUSED>(x)
    }

    fn double(x: f64) -> f64 {
        libm::erfc(x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Erfc",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [1.9953222f32, 1.5205, 1.0, 1.0, 0.47950011, 0.000022090497, 0.0, 2.0, f32::NAN],
        );
        check(
            "Erfc",
            [[1.0e-6f32, 0.9, 1.1, 4.5, 9.0].into()],
            [0.99999887f32, 0.2030918, 0.11979494, 1.9661602e-10, 4.1370317e-37],
        );
        check("Erfc", [[-0.5f64, 2.0].into()], [1.5204998778130467f64, 0.004677734981047265]);
    }
}
