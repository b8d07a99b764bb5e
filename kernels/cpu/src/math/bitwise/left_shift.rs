//! `LeftShift`: bits moved to the left.

use oplink::prelude::*;

use crate::support::elementwise::{Bits, Lanes, binary};

/// Moves the bits of `x` to the left by `y`; `y` outside `0..bits` counts as the nearest number inside.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "LeftShift",
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct LeftShift;

#[kernel(LeftShift, device = CPU, T = [integers])]
fn left_shift_cpu<T: Lanes<Lane: Bits>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Bits::shift_left)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "LeftShift",
            [[1i32, 1, 1, -1, -8].into(), [-1i32, 31, 32, 3, 1].into()],
            [1i32, -2147483648, -2147483648, -8, -16],
        );
        check("LeftShift", [[1u8, 255].into(), [9u8, 1].into()], [128u8, 254]);
        check("LeftShift", [[-128i8].into(), [7i8].into()], [0i8]);
    }
}
