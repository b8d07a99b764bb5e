//! `Maximum`: the larger of two numbers.

use oplink::prelude::*;

use crate::support::elementwise::{Lanes, Ordered, binary};

/// Computes the larger of `x` and `y`; NaN where either is.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Maximum",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Maximum;

/// `Maximum` of numbers, on the host.
#[kernel(Maximum, device = CPU, T = [reals])]
pub fn maximum_cpu<T: Lanes<Lane: Ordered>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Ordered::maximum)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Maximum",
            [[1.0f32, f32::NAN, 1.0, -f32::INFINITY].into(), [2.0f32, 1.0, f32::NAN, f32::INFINITY].into()],
            [2.0f32, f32::NAN, f32::NAN, f32::INFINITY],
        );
        check("Maximum", [[-3i32, 5].into(), [4i32, -2].into()], [4i32, 5]);
        check("Maximum", [[200u8, 3].into(), [100u8, 5].into()], [200u8, 5]);
    }
}
