//! `RightShift`: bits moved to the right.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Bits, Lanes, binary};
use oplink_ops::math::RightShift;

#[kernel(RightShift, device = CPU, T = [integers])]
fn right_shift_cpu<T: Lanes<Lane: Bits>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Bits::shift_right)
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check("RightShift", [[1i32, 1, 1, -1, -8].into(), [-1i32, 31, 32, 3, 1].into()], [1i32, 0, 0, -1, -4]);
        check("RightShift", [[1u8, 255].into(), [9u8, 1].into()], [0u8, 127]);
        check("RightShift", [[-128i8].into(), [7i8].into()], [-1i8]);
    }
}
