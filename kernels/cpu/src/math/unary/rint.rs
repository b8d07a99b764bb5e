//! `Rint`: rounding to the nearest integer, halves to even.

use oplink::prelude::*;

use crate::support::elementwise::{Lanes, RoundEven, unary};

/// Computes the integer nearest to `x`, the even one of two.
#[op(
    "Rint",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Rint;

#[kernel(Rint, device = CPU, T = [f32, f64])]
fn rint_cpu<T: Lanes<Lane: RoundEven>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, RoundEven::round_even)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Rint",
            [[0.5f32, 1.5, 2.5, -0.5, -1.5, 8388609.0, 0.49999997, f32::INFINITY, f32::NAN].into()],
            [0.0f32, 2.0, 2.0, -0.0, -2.0, 8388609.0, 0.0, f32::INFINITY, f32::NAN],
        );
    }
}
