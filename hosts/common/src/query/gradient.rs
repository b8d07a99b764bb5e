//! The gradient of a call, as a program of nodes.
//!
//! Values are `[node, index]`: node 0 has the op's inputs, 1 its outputs, 2 their gradients; then come the nodes that
//! the gradient adds, in order.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::shape_inference::NoConstants;
use oplink_api::{NodeInfo, Output, PartialShape, Result};

use super::call::CallLines;
use super::json;
use crate::gradient::{INPUTS, Node, OP, Plan, Program, Recorded, Recording, Shapes, record, result_shapes};
use crate::table::OpTable;

pub(super) fn gradient(table: &OpTable, call: &CallLines<'_>) -> Result<String> {
    let node = Arc::new(call.op.node(&call.key)?);
    let outputs = call.op.infer(&node, &call.shapes, &NoConstants)?;
    let shapes = Shapes { inputs: call.shapes.clone(), outputs };
    let Recording { program, reads_shapes } = record(&table.nodes, call.op, &node, shapes.clone(), &call.wanted);
    let program = program?;
    let found = result_shapes(&table.nodes, &node, &program, &shapes, &shapes.outputs)?;
    let (inputs, outputs) = needed(&program, &shapes, &found, reads_shapes);
    let results = program.results.iter().map(|output| output.map_or_else(|| "null".to_owned(), value));
    let results = json::list(results);
    let nodes = program.recorded.iter().map(|recorded| recorded_json(table, recorded)).collect::<Result<Vec<_>>>()?;
    let is_elementwise = !reads_shapes && program.is_elementwise(&table.nodes);
    Ok(json::object([
        ("nodes", json::list(nodes)),
        ("results", results),
        ("function", function(table, call, &node, program)),
        ("needed", json::list([flags(&inputs), flags(&outputs)])),
        ("elementwise", is_elementwise.to_string()),
    ]))
}

/// The function of the op that computes the gradient in one call; null where there is none, or no kernel for a node.
fn function(table: &OpTable, call: &CallLines<'_>, node: &NodeInfo, program: Program) -> String {
    let name = call.op.descriptor.name;
    let op = table.ops.iter().find(|op| op.gradient_of() == Some(name));
    let has_kernels = || Plan::new(&table.nodes, node, program, &[]).is_ok();
    op.filter(|_| has_kernels()).map_or_else(|| "null".to_owned(), |op| json::text(&op.function_name))
}

/// Which inputs and outputs that op has to be given: those that gradients depend on, all where the gradient function
/// asks for shapes, and an input whose gradient has a shape that nothing else tells.
fn needed(
    program: &Program,
    shapes: &Shapes,
    found: &[Option<PartialShape>],
    reads_shapes: bool,
) -> (Vec<bool>, Vec<bool>) {
    let mut inputs = program.uses(INPUTS, shapes.inputs.len());
    let mut outputs = program.uses(OP, shapes.outputs.len());
    inputs.iter_mut().chain(&mut outputs).for_each(|needed| *needed |= reads_shapes);
    for (needed, (found, shape)) in inputs.iter_mut().zip(found.iter().zip(&shapes.inputs)) {
        *needed |= found.as_ref().is_some_and(|found| !tells(found, shape));
    }
    (inputs, outputs)
}

/// Whether the shape that was found tells every extent that the other one does.
fn tells(found: &PartialShape, shape: &PartialShape) -> bool {
    match (found.dims(), shape.dims()) {
        (Some(found), Some(known)) => {
            found.len() == known.len() && found.iter().zip(known).all(|(a, b)| a.is_some() || b.is_none())
        }
        (_, None) => true,
        (None, Some(_)) => false,
    }
}

fn flags(flags: &[bool]) -> String {
    json::list(flags.iter().map(bool::to_string))
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
    let own = table.nodes.own(node.op);
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
