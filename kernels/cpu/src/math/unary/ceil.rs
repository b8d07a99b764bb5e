//! `Ceil`: rounding up.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary};

/// Computes the smallest integer not less than `x`.
#[op(
    "Ceil",
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Ceil;

#[kernel(Ceil, device = CPU, T = [floats])]
fn ceil_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, num_traits::Float::ceil)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Ceil",
            [[-1.5f32, -0.5, -0.0, 0.25, 2.0, f32::INFINITY, f32::NAN].into()],
            [-1.0f32, -0.0, -0.0, 1.0, 2.0, f32::INFINITY, f32::NAN],
        );
    }
}
