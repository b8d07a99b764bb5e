//! `Round`: rounding to the nearest integer, halves to even.

use oplink::prelude::*;

use crate::support::elementwise::{Lanes, RoundEven, unary};

/// Computes the integer nearest to `x`, the even one of two. Integers stay as they are.
#[op(
    "Round",
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Round;

/// `Round` of numbers, on the host.
#[kernel(Round, device = CPU, T = [f16, bf16, f32, f64, i32, i64])]
pub fn round_cpu<T: Lanes<Lane: RoundEven>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, RoundEven::round_even)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Round",
            [[0.5f32, 1.5, 2.5, -0.5, -1.5, 8388609.0, 0.49999997, f32::INFINITY, f32::NAN].into()],
            [0.0f32, 2.0, 2.0, -0.0, -2.0, 8388609.0, 0.0, f32::INFINITY, f32::NAN],
        );
        check("Round", [[-3, 7].into()], [-3, 7]);
    }
}
