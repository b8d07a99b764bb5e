//! `SymbolicGradient`: the gradient of a function, computed.

use oplink::prelude::*;

/// The gradient of the function `f`, or of the op of that name with the attrs given beside it.
///
/// The inputs are the arguments of `f`, then a gradient of each of its results; the outputs are a gradient of each
/// argument, of its dtype and shape: zeros where no result depends on it. A function that the library names as the
/// gradient of `f` is called; otherwise the body of `f` is differentiated when the node first runs. Inputs and outputs
/// of another number or dtypes are an error, and so is an op of `f` that has no gradient.
#[op("SymbolicGradient",
     input = "input: Tin",
     output = "output: Tout",
     attr = "Tin: list(type) >= 1",
     attr = "Tout: list(type) >= 1",
     attr = "f: func",
     shape = of_arguments)]
pub struct SymbolicGradient;

/// The shapes of the first inputs; those of the variables where inputs are handles.
fn of_arguments(context: &mut ShapeContext<'_>) -> Result<()> {
    let (inputs, outputs) = (context.num_inputs(), context.num_outputs());
    ensure!(inputs >= outputs, "there are {inputs} inputs for {outputs} outputs: each output needs an argument");
    for index in 0..outputs {
        let shape = match (context.input_dtype(index), context.input_handle_shapes(index)) {
            (Some(DType::Resource), [(_, shape), ..]) => shape.clone(),
            (Some(DType::Resource), []) => PartialShape::unknown(),
            _ => context.input(index).clone(),
        };
        context.set_output(index, shape);
    }
    Ok(())
}
