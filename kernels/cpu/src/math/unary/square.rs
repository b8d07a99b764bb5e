//! `Square`: the square.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, unary};

/// Computes `x * x`; integers wrap around.
#[op(
    "Square",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Square;

/// `Square` of numbers, on the host.
#[kernel(Square, device = CPU, T = [numbers])]
pub fn square_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |x| x.mul(x))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Square",
            [[-1.5f32, 0.0, 1.0e30, -f32::INFINITY, f32::NAN].into()],
            [2.25f32, 0.0, f32::INFINITY, f32::INFINITY, f32::NAN],
        );
        check("Square", [[-3i32, 0, 5, 65536].into()], [9i32, 0, 25, 0]);
        check("Square", [[Complex::new(1.0f32, 2.0)].into()], [Complex::new(-3.0f32, 4.0)]);
    }
}
