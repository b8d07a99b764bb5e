//! `Invert`: the complement of every bit.

use oplink::prelude::*;

use crate::support::elementwise::{Bits, Lanes, unary};

/// Computes the complement of every bit of `x`.
#[op(
    "Invert",
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::unchanged,
)]
pub struct Invert;

#[kernel(Invert, device = CPU, T = [integers])]
fn invert_cpu<T: Lanes<Lane: Bits>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |x| !x)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check("Invert", [[-3i32, 0, 5].into()], [2i32, -1, -6]);
        check("Invert", [[0u8, 5].into()], [255u8, 250]);
    }
}
