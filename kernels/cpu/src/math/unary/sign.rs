//! `Sign`: the sign.

use oplink::prelude::*;

use crate::support::complex;
use crate::support::elementwise::{ComplexLane, Lanes, Signed, unary};

/// Computes -1, 0 or 1 with the sign of `x`; NaN for NaN.
///
/// Complex: `x / |x|`, 0 for 0.
#[op(
    "Sign",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sign;

/// `Sign` of numbers, on the host.
#[kernel(Sign, device = CPU, T = [floats, i8, i16, i32, i64])]
pub fn sign_cpu<T: Lanes<Lane: Signed>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, Signed::sign)
}

#[kernel(Sign, device = CPU, T = [complex])]
fn sign_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sign))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sign",
            [[-1.5f32, -0.0, 0.0, 2.0, -f32::INFINITY, f32::NAN].into()],
            [-1.0f32, 0.0, 0.0, 1.0, -1.0, f32::NAN],
        );
        check("Sign", [[-3i32, 0, 5, -2147483648].into()], [-1i32, 0, 1, -1]);
        check(
            "Sign",
            [[Complex::new(0.0f32, 0.0), Complex::new(3.0f32, 4.0)].into()],
            [Complex::new(0.0f32, 0.0), Complex::new(0.6f32, 0.8)],
        );
    }
}
