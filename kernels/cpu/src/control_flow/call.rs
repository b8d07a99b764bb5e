//! Calls of functions from kernels, checked against the node.

use oplink::prelude::*;
use oplink::{Function, Step};

/// Takes all inputs from `first` on, so that the function may reuse their memory.
pub(super) fn take_inputs(context: &mut KernelContext<'_>, first: usize) -> Vec<Tensor> {
    (first..context.num_inputs()).map(|index| context.take_input(index)).collect()
}

/// Sets all outputs.
pub(super) fn set_outputs(context: &mut KernelContext<'_>, values: impl IntoIterator<Item = Tensor>) {
    values.into_iter().enumerate().for_each(|(index, value)| context.set_output(index, value));
}

/// Calls a function on the node's inputs from `first` on; its results are the node's outputs.
pub(super) fn call_as_node(function: &dyn Function, context: &mut KernelContext<'_>, first: usize) -> Result<()> {
    check(function, &context.node().input_dtypes[first..], &context.node().output_dtypes)?;
    let step = context.step()?;
    let arguments = take_inputs(context, first);
    let mut results = Vec::with_capacity(context.num_outputs());
    call(function, step, arguments, &mut results)?;
    set_outputs(context, results);
    Ok(())
}

/// Calls a function on values that it may reuse.
pub(super) fn call(
    function: &dyn Function,
    step: &Step,
    arguments: Vec<Tensor>,
    results: &mut Vec<Tensor>,
) -> Result<()> {
    step.cancellation().check()?;
    function.call(step, &mut arguments.into_iter(), results)
}

/// Whether a function takes and returns what a node gives and expects.
pub(super) fn check(function: &dyn Function, inputs: &[DType], outputs: &[DType]) -> Result<()> {
    if function.input_dtypes() == inputs && function.output_dtypes() == outputs {
        return Ok(());
    }
    let list = |dtypes: &[DType]| dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(", ");
    bail!(
        "function `{}` is ({}) -> ({}), the node calls it as ({}) -> ({})",
        function.name(),
        list(function.input_dtypes()),
        list(function.output_dtypes()),
        list(inputs),
        list(outputs)
    )
}
