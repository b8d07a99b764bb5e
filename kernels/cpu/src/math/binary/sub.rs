//! `Sub`: the difference.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, binary};

/// Computes `x - y`; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Sub",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Sub;

/// `Sub` of numbers, on the host.
#[kernel(Sub, device = CPU, T = [numbers])]
pub fn sub_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Arithmetic::sub)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sub",
            [[1.0f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, f32::INFINITY, -0.0].into()],
            [-1.0f32, f32::NAN, f32::NAN, 0.0],
        );
        check("Sub", [[-2147483648i32, -3].into(), [1i32, 5].into()], [2147483647i32, -8]);
        check("Sub", [[1u8].into(), [2u8].into()], [255u8]);
        check(
            "Sub",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(-2.0f32, 1.0)].into()],
            [Complex::new(3.0f32, 1.0)],
        );
    }
}
