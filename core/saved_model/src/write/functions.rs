//! Signatures that are functions: a placeholder for each argument that is not captured, and a node that calls.

use oplink_api::{DType, FuncAttr, Output, PartialShape, Result, bail, ensure};
use oplink_graph::Graph;
use oplink_ops::StatefulPartitionedCall;
use oplink_proto::FunctionDef;
use oplink_proto::op_def::ArgDef;

use super::SignatureBuilder;

/// Adds the call of a function to the graph; the signature with its inputs and outputs.
pub(super) fn add_call(
    graph: &mut Graph,
    signature: &str,
    function: &str,
    captures: &[(String, Output)],
    given: &SignatureBuilder,
) -> Result<SignatureBuilder> {
    ensure!(given.inputs.is_empty() && given.outputs.is_empty(), "the inputs and outputs are those of `{function}`");
    let Some(found) = find(graph, function) else { bail!("the graph's library has no function `{function}`") };
    let declaration = found.signature.unwrap_or_default();
    if let Some((name, _)) = captures.iter().find(|(name, _)| declaration.input_arg.iter().all(|a| a.name != *name)) {
        bail!("`{name}` is captured, but is no argument of `{function}`");
    }
    let mut inputs = Vec::new();
    let mut scope = graph.scope();
    let mut arguments = Vec::with_capacity(declaration.input_arg.len());
    for arg in &declaration.input_arg {
        let captured = captures.iter().find(|(name, _)| *name == arg.name).map(|(_, output)| *output);
        arguments.push(match captured {
            Some(output) => output,
            None => {
                let wanted = format!("{signature}_{}", arg.name);
                let placeholder = scope.placeholder(&wanted, dtype(arg)?, PartialShape::unknown())?;
                inputs.push((arg.name.clone(), placeholder));
                placeholder
            }
        });
    }
    let results: Vec<DType> = declaration.output_arg.iter().map(dtype).collect::<Result<_>>()?;
    let callee = FuncAttr { name: function.to_owned(), ..FuncAttr::default() };
    let values = StatefulPartitionedCall::builder(&results, &callee)
        .name(format!("{signature}_call"))
        .build(&mut scope, arguments)?;
    let outputs = declaration.output_arg.iter().map(|arg| arg.name.clone()).zip(values).collect();
    let description = if given.description.is_empty() { declaration.description } else { given.description.clone() };
    Ok(SignatureBuilder { inputs, outputs, description, function: None, ..given.clone() })
}

fn find(graph: &Graph, name: &str) -> Option<FunctionDef> {
    let mut functions = graph.library()?.function.iter();
    functions.find(|function| function.signature.as_ref().is_some_and(|s| s.name == name)).cloned()
}

fn dtype(arg: &ArgDef) -> Result<DType> {
    match DType::from_number(arg.r#type) {
        Some(dtype) if dtype != DType::Invalid => Ok(dtype),
        _ => bail!("the argument `{}` has no dtype of its own, so that it cannot be called by itself", arg.name),
    }
}
