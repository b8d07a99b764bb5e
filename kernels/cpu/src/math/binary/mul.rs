//! `Mul`: the product.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, binary};

/// Computes `x * y`; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Mul",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct Mul;

/// `Mul` of numbers, on the host.
#[kernel(Mul, device = CPU, T = [numbers])]
pub fn mul_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Arithmetic::mul)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Mul",
            [[1.5f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, 0.0, 3.0].into()],
            [3.0f32, f32::NAN, f32::NAN, -0.0],
        );
        check("Mul", [[2147483647i32, -3].into(), [2i32, 5].into()], [-2i32, -15]);
        check(
            "Mul",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(-2.0f32, 1.0)].into()],
            [Complex::new(-4.0f32, -3.0)],
        );
    }
}
