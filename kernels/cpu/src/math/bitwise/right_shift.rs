//! `RightShift`: bits moved to the right.

use oplink::prelude::*;

use crate::support::elementwise::{Bits, Lanes, binary};

/// Moves the bits of `x` to the right by `y`; `y` outside `0..bits` counts as the nearest number inside. Signed integers keep their sign.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "RightShift",
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct RightShift;

#[kernel(RightShift, device = CPU, T = [integers])]
fn right_shift_cpu<T: Lanes<Lane: Bits>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Bits::shift_right)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check("RightShift", [[1i32, 1, 1, -1, -8].into(), [-1i32, 31, 32, 3, 1].into()], [1i32, 0, 0, -1, -4]);
        check("RightShift", [[1u8, 255].into(), [9u8, 1].into()], [0u8, 127]);
        check("RightShift", [[-128i8].into(), [7i8].into()], [-1i8]);
    }
}
