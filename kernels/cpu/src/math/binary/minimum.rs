//! `Minimum`: the smaller of two numbers.

use oplink::prelude::*;

use crate::support::elementwise::{Lanes, Ordered, binary};

/// Computes the smaller of `x` and `y`; NaN where either is.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Minimum",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Minimum;

/// `Minimum` of numbers, on the host.
#[kernel(Minimum, device = CPU, T = [reals])]
pub fn minimum_cpu<T: Lanes<Lane: Ordered>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Ordered::minimum)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Minimum",
            [[1.0f32, f32::NAN, 1.0, -f32::INFINITY].into(), [2.0f32, 1.0, f32::NAN, f32::INFINITY].into()],
            [1.0f32, f32::NAN, f32::NAN, -f32::INFINITY],
        );
        check("Minimum", [[-3i32, 5].into(), [4i32, -2].into()], [-3i32, -2]);
        check("Minimum", [[200u8, 3].into(), [100u8, 5].into()], [100u8, 3]);
    }
}
