//! `Floor`: rounding down.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary};

/// Computes the largest integer not greater than `x`.
#[op(
    "Floor",
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Floor;

#[kernel(Floor, device = CPU, T = [floats])]
fn floor_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, num_traits::Float::floor)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Floor",
            [[-1.5f32, -0.5, -0.0, 0.25, 2.0, f32::INFINITY, f32::NAN].into()],
            [-2.0f32, -1.0, -0.0, 0.0, 2.0, f32::INFINITY, f32::NAN],
        );
    }
}
