//! `RealDiv`: the quotient of floating-point numbers.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, FloatLane, Lanes, binary};

/// Computes `x / y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "RealDiv",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct RealDiv;

/// `RealDiv` of floats.
/// Divides floats.
#[kernel(RealDiv, device = CPU, T = [floats])]
pub fn real_div_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| x / y)
}

/// `RealDiv` of complex numbers.
/// Divides complex numbers.
#[kernel(RealDiv, device = CPU, T = [complex])]
pub fn real_div_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| ComplexLane::from_double(complex::div(x.to_double(), y.to_double())))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "RealDiv",
            [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
            [3.5f32, -3.5, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
        );
        check(
            "RealDiv",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(-2.0f32, 1.0)].into()],
            [Complex::new(-0.0f32, -1.0)],
        );
    }
}
