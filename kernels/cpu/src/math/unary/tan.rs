//! `Tan`: the tangent.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, FloatLane, Lanes, unary, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// Computes the tangent of `x` in radians; NaN for infinities.
#[op(
    "Tan",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Tan;

#[kernel(Tan, device = CPU, T = [f16, bf16, f32, f64])]
fn tan_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Tan>(context)
}

#[kernel(Tan, device = CPU, T = [complex])]
fn tan_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::tan))
}

impl MathFunction for Tan {
    const SINGLE_LIMIT: f32 = vector::TRIGONOMETRIC_LIMIT;

    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        vector::tan::<FUSED>(x)
    }

    fn double(x: f64) -> f64 {
        x.tan()
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Tan",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [2.1850398f32, -0.5463025, -0.0, 0.0, 0.5463025, -0.14254655, f32::NAN, f32::NAN, f32::NAN],
        );
        check("Tan", [[1.0e-6f32, 1.5, 100.0, -1000.0].into()], [1.0e-6f32, 14.10142, -0.58721393, -1.4703242]);
        check("Tan", [[-0.5f64, 100.0].into()], [-0.5463024898437905f64, -0.5872139151569291]);
        check(
            "Tan",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.19557732f32, 0.84296614),
                Complex::new(1.5966891f32, 1.0993981),
                Complex::new(-0.0045171375f32, -1.0020552),
            ],
        );
    }
}
