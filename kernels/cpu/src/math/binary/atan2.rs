//! `Atan2`: the angle of a point.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, binary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction2;

/// Computes the angle in radians between the positive x axis and the point `(x, y)`, in [-pi, pi].
///
/// The first input is `y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Atan2",
    input = "y: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Atan2;

#[kernel(Atan2, device = CPU, T = [floats])]
fn atan2_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, Atan2>(context)
}

impl MathFunction2 for Atan2 {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32, y: f32) -> f32 {
        vector::atan2::<FUSED>(x, y)
    }

    fn double(x: f64, y: f64) -> f64 {
        x.atan2(y)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Atan2",
            [
                [1.0f32, 1.0, -1.0, -1.0, 0.0, -0.0, 0.0, f32::INFINITY, f32::NAN].into(),
                [1.0f32, -1.0, 1.0, -1.0, -2.0, -2.0, 0.0, -f32::INFINITY, 1.0].into(),
            ],
            [0.7853981f32, 2.3561945, -0.7853981, -2.3561945, 3.1415927, -3.1415927, 0.0, 2.3561945, f32::NAN],
        );
        check("Atan2", [[2.0f64].into(), [-0.5f64].into()], [1.8157749899217608f64]);
    }
}
