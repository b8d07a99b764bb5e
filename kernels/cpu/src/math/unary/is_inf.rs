//! `IsInf`: whether a number is infinite.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_into};

/// Tells whether a number is infinite, element by element.
#[op(
    "IsInf",
    no_gradient,
    input = "x: T",
    output = "y: bool",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct IsInf;

#[kernel(IsInf, device = CPU, T = [floats])]
fn is_inf_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<T, bool>(context, num_traits::Float::is_infinite)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "IsInf",
            [[-1.5f32, 0.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [false, false, true, true, false],
        );
    }
}
