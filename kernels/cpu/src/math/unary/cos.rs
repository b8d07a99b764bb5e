//! `Cos`: the cosine.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, FloatLane, Lanes, unary, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// Computes the cosine of `x` in radians; NaN for infinities.
#[op(
    "Cos",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Cos;

#[kernel(Cos, device = CPU, T = [f16, bf16, f32, f64])]
fn cos_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Cos>(context)
}

#[kernel(Cos, device = CPU, T = [complex])]
fn cos_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::cos))
}

impl MathFunction for Cos {
    const SINGLE_LIMIT: f32 = vector::TRIGONOMETRIC_LIMIT;

    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        vector::cos::<FUSED>(x)
    }

    fn double(x: f64) -> f64 {
        x.cos()
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Cos",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-0.4161468f32, 0.87758255, 1.0, 1.0, 0.87758255, -0.9899925, f32::NAN, f32::NAN, f32::NAN],
        );
        check("Cos", [[1.0e-6f32, 1.5, 100.0, -1000.0].into()], [1.0f32, 0.0707372, 0.8623189, 0.56237906]);
        check("Cos", [[-0.5f64, 100.0].into()], [0.8775825618903728f64, 0.8623188722876839]);
        check(
            "Cos",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(1.3541806f32, -0.5634215),
                Complex::new(-0.4292193f32, 0.22969973),
                Complex::new(5.439581f32, -8.42975),
            ],
        );
    }
}
