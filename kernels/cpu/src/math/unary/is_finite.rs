//! `IsFinite`: whether a number is neither infinite nor NaN.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_into};

/// Tells whether a number is neither infinite nor NaN, element by element.
#[op(
    "IsFinite",
    no_gradient,
    input = "x: T",
    output = "y: bool",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct IsFinite;

#[kernel(IsFinite, device = CPU, T = [floats])]
fn is_finite_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<T, bool>(context, num_traits::Float::is_finite)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "IsFinite",
            [[-1.5f32, 0.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [true, true, false, false, false],
        );
    }
}
