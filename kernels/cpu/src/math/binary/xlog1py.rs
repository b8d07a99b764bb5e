//! `Xlog1py`: a number times a logarithm, 0 where the number is.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{Arithmetic, ComplexLane, FloatLane, Lanes, binary, binary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction2;

/// Computes `x * log(1 + y)`, and 0 where `x` is 0.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Xlog1py",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {half, bfloat16, float, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Xlog1py;

#[kernel(Xlog1py, device = CPU, T = [floats])]
fn xlog1py_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, Xlog1py>(context)
}

#[kernel(Xlog1py, device = CPU, T = [complex])]
fn xlog1py_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        if x == T::Lane::ZERO {
            return x;
        }
        ComplexLane::from_double(x.to_double() * complex::log1p(y.to_double()))
    })
}

impl MathFunction2 for Xlog1py {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32, y: f32) -> f32 {
        let product = x * vector::log1p::<FUSED>(y);
        if x == 0.0 { x } else { product }
    }

    fn double(x: f64, y: f64) -> f64 {
        if x == 0.0 { x } else { x * y.ln_1p() }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Xlog1py",
            [[0.0f32, 0.0, 1.0, -2.0, 1.0, 3.0].into(), [f32::NAN, 0.0, 0.0, 0.5, f32::INFINITY, -0.25].into()],
            [0.0f32, 0.0, 0.0, -0.8109302, f32::INFINITY, -0.86304617],
        );
        check("Xlog1py", [[2.0f64].into(), [0.5f64].into()], [0.8109302162163288f64]);
        check(
            "Xlog1py",
            [
                [Complex::new(0.0f32, 0.0), Complex::new(1.0f32, 1.0)].into(),
                [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 2.0)].into(),
            ],
            [Complex::new(0.0f32, 0.0), Complex::new(-0.3024298f32, 1.9118677)],
        );
    }
}
