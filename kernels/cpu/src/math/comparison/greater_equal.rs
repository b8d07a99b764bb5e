//! `GreaterEqual`: whether `x >= y`.

use oplink::prelude::*;

use crate::support::elementwise::{Lanes, Ordered, binary_into};

/// Tells whether `x >= y`; false where either is NaN.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "GreaterEqual",
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct GreaterEqual;

/// `GreaterEqual` of numbers, on the host.
#[kernel(GreaterEqual, device = CPU, T = [reals])]
pub fn greater_equal_cpu<T: Lanes<Lane: Ordered>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_into::<T, bool>(context, |x, y| x >= y)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "GreaterEqual",
            [[1.0f32, 2.0, 3.0, f32::NAN, 1.0, -0.0].into(), [2.0f32, 2.0, 1.0, 1.0, f32::NAN, 0.0].into()],
            [false, true, true, false, false, true],
        );
        check("GreaterEqual", [[-3i32, 5].into(), [4i32, 5].into()], [false, true]);
        check("GreaterEqual", [[200u8, 3].into(), [100u8, 5].into()], [true, false]);
    }
}
