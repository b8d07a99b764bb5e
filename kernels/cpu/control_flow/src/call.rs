//! Calls of functions from kernels, checked against the node.

use oplink::Step;
use oplink::function::Function;
use oplink::prelude::*;

/// Moves the inputs out, so that the function may reuse their memory.
pub(super) fn taken(inputs: InputList<'_>) -> Vec<Tensor> {
    inputs.into_inputs().map(Input::take).collect()
}

/// Sets all outputs.
pub(super) fn set_outputs(outputs: &mut OutputList<'_>, values: Vec<Tensor>) {
    outputs.iter_mut().zip(values).for_each(|(mut output, value)| output.set(value));
}

/// Calls a function on the last inputs of a node; its results are the node's outputs.
pub(super) fn call_as_node(
    function: &dyn Function,
    inputs: InputList<'_>,
    outputs: &mut OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let dtypes = &env.node().input_dtypes;
    check(function, &dtypes[dtypes.len() - inputs.len()..], &env.node().output_dtypes)?;
    // bounded: one for each output of the node
    let mut results = Vec::with_capacity(outputs.len());
    call(function, env.step()?, taken(inputs), &mut results)?;
    set_outputs(outputs, results);
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

/// Checks that a function takes and returns what a node gives and expects.
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
