//! The gradient of a call, as a program of nodes.
//!
//! Values are `[node, index]`: node 0 has the op's inputs, 1 its outputs, 2 their gradients; then come the nodes that
//! the gradient adds, in order.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::shape_inference::NoConstants;
use oplink_api::{Error, OpForGradient, Output, PartialShape, Result, ShapeContext, ensure};

use super::call::CallLines;
use super::json;
use crate::table::OpTable;
use crate::trace::{GRADIENTS, INPUTS, Node, OP, Recorded, TraceScope};

pub(super) fn gradient(table: &OpTable, call: &CallLines<'_>) -> Result<String> {
    let name = call.op.descriptor.name;
    let none = || Error::unimplemented(format!("{name} has no gradient"));
    let descriptor = call.op.gradient.ok_or_else(none)?;
    let node = call.op.node(&call.key)?;
    let (inputs, outputs) = (node.input_dtypes.len(), node.output_dtypes.len());
    let values = |node: u32, count: usize| (0..count as u32).map(move |index| Output { node, index });
    let output_shapes = output_shapes(call, &node)?;
    let mut scope = TraceScope::new(table, &node);
    let op = OpForGradient::new(
        OP,
        Arc::new(node),
        values(INPUTS, inputs).collect(),
        call.shapes.clone(),
        output_shapes,
        vec![true; outputs],
    );
    let op = op.with_wanted(call.wanted.clone());
    let dys: Vec<Output> = values(GRADIENTS, outputs).collect();
    let made = descriptor.function.add(&mut scope, &op, &dys)?;
    let location = descriptor.location;
    ensure!(made.len() == inputs, "the gradient at {location} gives {} gradients for {inputs} inputs", made.len());
    let results = made.into_iter().map(|output| output.map_or_else(|| "null".to_owned(), value));
    let nodes = scope.recorded.iter().map(|recorded| recorded_json(table, recorded)).collect::<Result<Vec<_>>>()?;
    Ok(json::object([("nodes", json::list(nodes)), ("results", json::list(results))]))
}

fn output_shapes(call: &CallLines<'_>, node: &oplink_api::NodeInfo) -> Result<Vec<PartialShape>> {
    let mut context = ShapeContext::new(node, &call.shapes, &NoConstants);
    if let Some(shape_fn) = call.op.descriptor.shape {
        shape_fn(&mut context)?;
    }
    Ok(context.into_output_shapes())
}

fn value(output: Output) -> String {
    format!("[{},{}]", output.node, output.index)
}

fn recorded_json(table: &OpTable, recorded: &Recorded) -> Result<String> {
    Ok(match recorded {
        Recorded::Constant(tensor) => json::object([
            ("constant", json::bytes(tensor.as_bytes()?)),
            ("dtype", json::dtype(tensor.dtype())),
            ("shape", json::shape(&tensor.shape().into())),
        ]),
        Recorded::Node(node) => node_json(table, node),
    })
}

fn node_json(table: &OpTable, node: &Node) -> String {
    let own = table.op(node.op);
    let is_given = |name: &str| own.is_none_or(|op| op.given_attrs().any(|attr| attr.name == name));
    let attrs = node.attrs.iter().filter(|(name, _)| is_given(name)).map(|(name, value)| (*name, json::attr(value)));
    let inputs = node.inputs.iter().map(|input| match input {
        Arg::One(one) => json::object([("one", value(*one))]),
        Arg::List(list) => json::object([("list", json::list(list.iter().map(|one| value(*one))))]),
    });
    json::object([
        ("op", json::text(node.op)),
        ("function", own.map_or_else(|| "null".to_owned(), |op| json::text(&op.function_name))),
        ("attrs", json::object(attrs)),
        ("inputs", json::list(inputs)),
    ])
}
