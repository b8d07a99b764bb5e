//! `GuaranteeConst`: its input, which the graph's author promises never changes.
//!
//! Every dtype but resource, whose contents may change.

use oplink::prelude::*;

/// Gives its input, which is promised to be the same in every run.
#[op("GuaranteeConst", input = "input: T", output = "output: T", attr = "T: type", stateful, shape = shape_fns::unchanged)]
pub struct GuaranteeConst;

/// `GuaranteeConst` of every dtype.
#[kernel(GuaranteeConst, device = CPU, T = any)]
pub fn guarantee_const_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.take_input(0);
    ensure!(input.dtype() != DType::Resource, "the input cannot be a resource: what it names may change");
    context.set_output(0, input);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn gives_its_input() {
        check("GuaranteeConst", [[1, 2].into()], [1, 2]);
    }
}
