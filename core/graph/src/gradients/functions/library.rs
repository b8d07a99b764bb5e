//! Functions that a gradient adds to a graph's library.

use std::sync::Arc;

use oplink_api::{AttrValue, DType, FuncAttr, Result};
use oplink_proto::FunctionDef;
use oplink_proto::op_def::ArgDef;

use crate::Graph;
use crate::known_ops::KnownOp;

/// A name for a function that is made of another, which neither function nor op of the graph has.
pub(in crate::gradients) fn free_name(graph: &Graph, kind: &str, of: &str) -> String {
    let is_free = |name: &String| graph.functions.get(name).is_none() && graph.registry.get_op(name).is_none();
    let base = format!("__{kind}_{of}");
    let numbered = (1..).map(|number| format!("{base}_{number}"));
    std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or_default()
}

/// The gradients of functions that the graph's library has.
pub(super) fn num_gradient_functions(graph: &Graph) -> usize {
    graph.functions.entries().filter(|entry| entry.op.name().starts_with("__backward_")).count()
}

/// Adds functions to the library; how nodes name each.
///
/// # Errors
/// As [`Graph::add_function`].
pub(in crate::gradients) fn add_functions<const N: usize>(
    graph: &mut Graph,
    functions: &[FunctionDef; N],
) -> Result<[FuncAttr; N]> {
    functions.iter().try_for_each(|function| graph.add_function(function))?;
    Ok(functions.each_ref().map(named_of))
}

/// How nodes name a function without attrs.
pub(super) fn named_of(function: &FunctionDef) -> FuncAttr {
    let name = function.signature.as_ref().map_or_else(String::new, |signature| signature.name.clone());
    FuncAttr { name, ..FuncAttr::default() }
}

/// Uses the library of a graph that was made of this one's.
pub(super) fn adopt(graph: &mut Graph, inner: &Graph) {
    graph.functions = Arc::clone(&inner.functions);
}

/// Whether a function has effects.
pub(super) fn is_stateful(function: &FunctionDef) -> bool {
    function.signature.as_ref().is_some_and(|signature| signature.is_stateful)
}

/// The op for a node that calls functions with effects or without.
pub(in crate::gradients) fn op_for(functions: &[FunctionDef], stateful: KnownOp, stateless: KnownOp) -> KnownOp {
    if functions.iter().any(is_stateful) { stateful } else { stateless }
}

/// The attr of a function with a shape for each of its arguments, which TensorFlow's loaders hold against their number.
const INPUT_SHAPES: &str = "_input_shapes";

/// The function under another name, with more arguments that it does not read; its own attrs stay to be given.
pub(super) fn with_arguments(function: &FunctionDef, name: &str, dtypes: &[DType]) -> FunctionDef {
    let mut function = function.clone();
    function.attr.remove(INPUT_SHAPES);
    let taken: Vec<String> = function.node_def.iter().map(|node| node.name.clone()).collect();
    if let Some(signature) = &mut function.signature {
        name.clone_into(&mut signature.name);
        for dtype in dtypes {
            let is_free = |name: &String| {
                !taken.contains(name)
                    && signature.input_arg.iter().chain(&signature.output_arg).all(|arg| arg.name != *name)
            };
            let name = (0..u32::MAX).map(|number| format!("unread_{number}")).find(is_free).unwrap_or_default();
            signature.input_arg.push(ArgDef { name, r#type: dtype.number(), ..ArgDef::default() });
        }
    }
    function
}

/// A list of dtypes as an attr.
pub(super) fn types(dtypes: Vec<DType>) -> AttrValue {
    AttrValue::Types(dtypes)
}
