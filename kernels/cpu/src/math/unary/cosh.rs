//! `Cosh`: the hyperbolic cosine.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, FloatLane, Lanes, unary, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// Computes the hyperbolic cosine of `x`.
#[op(
    "Cosh",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Cosh;

#[kernel(Cosh, device = CPU, T = [f16, bf16, f32, f64])]
fn cosh_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Cosh>(context)
}

#[kernel(Cosh, device = CPU, T = [complex])]
fn cosh_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::cosh))
}

impl MathFunction for Cosh {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        vector::cosh::<FUSED>(x)
    }

    fn double(x: f64) -> f64 {
        x.cosh()
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Cosh",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [3.7621958f32, 1.127626, 1.0, 1.0, 1.127626, 10.067662, f32::INFINITY, f32::INFINITY, f32::NAN],
        );
        check("Cosh", [[1.0e-6f32, 1.5, 30.0].into()], [1.0f32, 2.3524096, 5343237000000.0]);
        check("Cosh", [[-0.5f64, 100.0].into()], [1.1276259652063807f64, 1.3440585709080678e+43]);
        check(
            "Cosh",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.6092589f32, 0.43848655),
                Complex::new(3.6452382f32, -0.89729965),
                Complex::new(-1.5276382f32, 0.1658444),
            ],
        );
    }
}
