//! `Sin`: the sine.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, FloatLane, Lanes, unary, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// Computes the sine of `x` in radians; NaN for infinities.
#[op(
    "Sin",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sin;

#[kernel(Sin, device = CPU, T = [f16, bf16, f32, f64])]
fn sin_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Sin>(context)
}

#[kernel(Sin, device = CPU, T = [complex])]
fn sin_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sin))
}

impl MathFunction for Sin {
    const SINGLE_LIMIT: f32 = vector::TRIGONOMETRIC_LIMIT;

    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        vector::sin::<FUSED>(x)
    }

    fn double(x: f64) -> f64 {
        x.sin()
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sin",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-0.9092974f32, -0.47942555, -0.0, 0.0, 0.47942555, 0.14112, f32::NAN, f32::NAN, f32::NAN],
        );
        check("Sin", [[1.0e-6f32, 1.5707964, 100.0, -1000.0].into()], [1.0e-6f32, 1.0, -0.50636566, -0.82687956]);
        check("Sin", [[-0.5f64, 100.0].into()], [-0.479425538604203f64, -0.5063656411097588]);
        check(
            "Sin",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.7397922f32, 1.0313361),
                Complex::new(-0.93786126f32, -0.10512382),
                Complex::new(-8.471645f32, -5.4126806),
            ],
        );
    }
}
