//! `SquaredDifference`: the square of the difference.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, ComplexLane, Lanes, binary};

/// Computes `(x - y) * (x - y)`, for complex numbers the square of the absolute value of `x - y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "SquaredDifference",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct SquaredDifference;

/// `SquaredDifference` of numbers, on the host.
#[kernel(SquaredDifference, device = CPU, T = [f16, bf16, f32, f64, i32, i64])]
pub fn squared_difference_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        let difference = x.sub(y);
        difference.mul(difference)
    })
}

#[kernel(SquaredDifference, device = CPU, T = [complex])]
fn squared_difference_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        let difference = x.sub(y);
        difference.mul(difference.conjugate())
    })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "SquaredDifference",
            [[1.0f32, f32::NAN, -f32::INFINITY, 2.5].into(), [2.0f32, 1.0, 1.0, -1.0].into()],
            [1.0f32, f32::NAN, f32::INFINITY, 12.25],
        );
        check("SquaredDifference", [[-3i32, 50000].into(), [4i32, -50000].into()], [49i32, 1410065408]);
        check(
            "SquaredDifference",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
            [Complex::new(13.0f32, 0.0)],
        );
    }
}
