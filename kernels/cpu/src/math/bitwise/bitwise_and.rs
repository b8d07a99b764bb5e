//! `BitwiseAnd`: and of every pair of bits.

use oplink::prelude::*;

use crate::support::elementwise::{Bits, Lanes, binary};

/// Computes `x & y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "BitwiseAnd",
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct BitwiseAnd;

#[kernel(BitwiseAnd, device = CPU, T = [integers])]
fn bitwise_and_cpu<T: Lanes<Lane: Bits>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| x & y)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check("BitwiseAnd", [[12i32, -1].into(), [10i32, 255].into()], [8i32, 255]);
        check("BitwiseAnd", [[255u8].into(), [170u8].into()], [170u8]);
    }
}
