//! `Sqrt`: the square root.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, FloatLane, Lanes, unary, unary_function};
use crate::support::vectorize::MathFunction;

/// Computes the square root of `x`; NaN for negative numbers.
///
/// Complex: the principal root, cut along the negative real axis.
#[op(
    "Sqrt",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sqrt;

#[kernel(Sqrt, device = CPU, T = [f16, bf16, f32, f64])]
fn sqrt_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Sqrt>(context)
}

#[kernel(Sqrt, device = CPU, T = [complex])]
fn sqrt_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sqrt))
}

impl MathFunction for Sqrt {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        x.sqrt()
    }

    fn double(x: f64) -> f64 {
        x.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sqrt",
            [[-1.0f32, -0.0, 0.0, 2.0, 1.0e-20, f32::INFINITY, f32::NAN].into()],
            [f32::NAN, -0.0, 0.0, 1.4142135, 1.0e-10, f32::INFINITY, f32::NAN],
        );
        check("Sqrt", [[2.0f64, 9.0].into()], [1.4142135623730951f64, 3.0]);
        check(
            "Sqrt",
            [[Complex::new(-4.0f32, 0.0), Complex::new(3.0f32, 4.0), Complex::new(0.0f32, 0.0)].into()],
            [Complex::new(0.0f32, 2.0), Complex::new(2.0f32, 1.0), Complex::new(0.0f32, 0.0)],
        );
    }
}
