//! `Neg`: the number with the other sign.

use oplink::prelude::*;

use crate::support::elementwise::{Lanes, Negate, unary};

/// Computes `-x`; the smallest integer of a type stays itself.
#[op(
    "Neg",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Neg;

/// `Neg` of numbers, on the host.
#[kernel(Neg, device = CPU, T = [floats, complex, i8, i16, i32, i64])]
pub fn neg_cpu<T: Lanes<Lane: Negate>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, Negate::negate)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Neg",
            [[-1.5f32, 0.0, 2.0, -f32::INFINITY, f32::NAN].into()],
            [1.5f32, -0.0, -2.0, f32::INFINITY, f32::NAN],
        );
        check("Neg", [[-3i32, 0, 5, -2147483648].into()], [3i32, 0, -5, -2147483648]);
        check("Neg", [[Complex::new(1.0f32, -2.0)].into()], [Complex::new(-1.0f32, 2.0)]);
    }
}
