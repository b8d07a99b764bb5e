//! `LogicalAnd`: and.

use oplink::prelude::*;

use crate::support::elementwise::binary;

/// Computes `x & y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "LogicalAnd",
    no_gradient,
    input = "x: bool",
    input = "y: bool",
    output = "z: bool",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct LogicalAnd;

#[kernel(LogicalAnd, device = CPU)]
fn logical_and_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<bool>(context, |x, y| x & y)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "LogicalAnd",
            [[true, false, true, false].into(), [true, true, false, false].into()],
            [true, false, false, false],
        );
    }
}
