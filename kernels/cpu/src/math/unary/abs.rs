//! `Abs`: the absolute value.

use oplink::prelude::*;

use crate::support::elementwise::{Lanes, Signed, unary};

/// Computes the absolute value of `x`.
///
/// The smallest integer of a type stays itself.
#[op(
    "Abs",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64}",
    shape = shape_fns::unchanged,
)]
pub struct Abs;

/// `Abs` of numbers, on the host.
#[kernel(Abs, device = CPU, T = [floats, i8, i16, i32, i64])]
pub fn abs_cpu<T: Lanes<Lane: Signed>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, Signed::abs)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Abs",
            [[-1.5f32, -0.0, 2.0, -f32::INFINITY, f32::NAN].into()],
            [1.5f32, 0.0, 2.0, f32::INFINITY, f32::NAN],
        );
        check("Abs", [[-3i32, 0, 5, -2147483648].into()], [3i32, 0, 5, -2147483648]);
    }
}
