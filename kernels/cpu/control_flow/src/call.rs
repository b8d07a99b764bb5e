//! Calls of functions from kernels, checked against the node.

use std::cell::RefCell;

use oplink::function::Function;
use oplink::prelude::*;

thread_local! {
    /// Lists of former calls of this thread, one for each call that was under way at a time. They are empty.
    static LISTS: RefCell<Vec<Vec<Tensor>>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` with `N` empty lists, in the memory of those of former calls.
pub(super) fn with_lists<const N: usize, R>(work: impl FnOnce(&mut [Vec<Tensor>; N]) -> R) -> R {
    let mut lists = [const { Vec::new() }; N];
    LISTS.with_borrow_mut(|kept| lists.iter_mut().for_each(|list| *list = kept.pop().unwrap_or_default()));
    let result = work(&mut lists);
    // What the lists hold may call functions when it ends.
    lists.iter_mut().for_each(Vec::clear);
    LISTS.with_borrow_mut(|kept| kept.extend(lists));
    result
}

/// Moves the inputs out, so that the function may reuse their memory.
pub(super) fn take(inputs: InputList<'_>, values: &mut Vec<Tensor>) {
    values.extend(inputs.into_inputs().map(Input::take));
}

/// Sets all outputs, which leaves the list empty.
pub(super) fn set_outputs(outputs: &mut OutputList<'_>, values: &mut Vec<Tensor>) {
    outputs.iter_mut().zip(values.drain(..)).for_each(|(mut output, value)| output.set(value));
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
    let step = env.step()?;
    step.cancellation().check()?;
    with_lists(|[arguments, results]| {
        take(inputs, arguments);
        function.call(step, &mut arguments.drain(..), results)?;
        set_outputs(outputs, results);
        Ok(())
    })
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
