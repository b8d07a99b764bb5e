//! `Xdivy`: the quotient, 0 where the dividend is.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{Arithmetic, ComplexLane, FloatLane, Lanes, binary, binary_function};
use crate::support::vectorize::MathFunction2;

/// Computes `x / y`, and 0 where `x` is 0, even for zero and NaN `y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Xdivy",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {half, bfloat16, float, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Xdivy;

#[kernel(Xdivy, device = CPU, T = [floats])]
fn xdivy_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, Xdivy>(context)
}

#[kernel(Xdivy, device = CPU, T = [complex])]
fn xdivy_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        if x == T::Lane::ZERO {
            return x;
        }
        ComplexLane::from_double(complex::div(x.to_double(), y.to_double()))
    })
}

impl MathFunction2 for Xdivy {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32, y: f32) -> f32 {
        if x == 0.0 { x } else { x / y }
    }

    fn double(x: f64, y: f64) -> f64 {
        if x == 0.0 { x } else { x / y }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Xdivy",
            [[0.0f32, 0.0, 1.0, -2.0, 1.0, 3.0].into(), [f32::NAN, 0.0, 0.0, 0.5, f32::INFINITY, -0.25].into()],
            [0.0f32, 0.0, f32::INFINITY, -4.0, 0.0, -12.0],
        );
        check("Xdivy", [[2.0f64].into(), [0.5f64].into()], [4.0f64]);
        check(
            "Xdivy",
            [
                [Complex::new(0.0f32, 0.0), Complex::new(1.0f32, 1.0)].into(),
                [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 2.0)].into(),
            ],
            [Complex::new(0.0f32, 0.0), Complex::new(0.5f32, -0.5)],
        );
    }
}
