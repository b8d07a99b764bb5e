//! `Rsqrt`: the reciprocal of the square root.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, FloatLane, Lanes, unary, unary_function};
use crate::support::vectorize::MathFunction;

/// Computes `1 / sqrt(x)`; infinity for 0, NaN for negative numbers.
#[op(
    "Rsqrt",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Rsqrt;

#[kernel(Rsqrt, device = CPU, T = [f16, bf16, f32, f64])]
fn rsqrt_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Rsqrt>(context)
}

#[kernel(Rsqrt, device = CPU, T = [complex])]
fn rsqrt_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::rsqrt))
}

impl MathFunction for Rsqrt {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        1.0 / x.sqrt()
    }

    fn double(x: f64) -> f64 {
        1.0 / x.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Rsqrt",
            [[-1.0f32, -0.0, 0.0, 4.0, 3.0, f32::INFINITY, f32::NAN].into()],
            [f32::NAN, -f32::INFINITY, f32::INFINITY, 0.5, 0.57735026, 0.0, f32::NAN],
        );
        check("Rsqrt", [[2.0f64, 9.0].into()], [0.7071067811865475f64, 0.3333333333333333]);
        check(
            "Rsqrt",
            [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 2.0)].into()],
            [Complex::new(0.4f32, -0.2), Complex::new(0.35157758f32, -0.56886446)],
        );
    }
}
