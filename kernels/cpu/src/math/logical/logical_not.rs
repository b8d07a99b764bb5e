//! `LogicalNot`: not.

use oplink::prelude::*;

use crate::support::elementwise::unary;

/// Computes `!x`.
#[op(
    "LogicalNot",
    no_gradient,
    input = "x: bool",
    output = "y: bool",
    shape = shape_fns::unchanged,
)]
pub struct LogicalNot;

#[kernel(LogicalNot, device = CPU)]
fn logical_not_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<bool>(context, |x| !x)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check("LogicalNot", [[true, false].into()], [false, true]);
    }
}
