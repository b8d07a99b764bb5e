//! `LeftShift`: bits moved to the left.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Bits, Lanes, binary};
use oplink_ops::math::LeftShift;

#[kernel(LeftShift, device = CPU, T = [integers])]
fn left_shift_cpu<T: Lanes<Lane: Bits>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Bits::shift_left)
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::check;

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
