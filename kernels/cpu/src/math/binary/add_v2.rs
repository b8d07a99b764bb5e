//! `AddV2`: the sum.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, binary};

/// Computes `x + y`; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "AddV2",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128}",
    commutative,
    aggregate,
    shape = shape_fns::broadcast_binary,
)]
pub struct AddV2;

/// `AddV2` of numbers, on the host.
#[kernel(AddV2, device = CPU, T = [numbers])]
pub fn add_v2_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Arithmetic::add)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "AddV2",
            [[1.0f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, -f32::INFINITY, -0.0].into()],
            [3.0f32, f32::NAN, f32::NAN, -0.0],
        );
        check("AddV2", [[2147483647i32, -3].into(), [1i32, 5].into()], [-2147483648i32, 2]);
        check(
            "AddV2",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(-2.0f32, 1.0)].into()],
            [Complex::new(-1.0f32, 3.0)],
        );
        check_error("AddV2", [[1.0f32, 2.0, 3.0].into(), [1.0f32, 2.0].into()], "ncompatible shapes: [3]");
    }
}
