//! Shapes of gradients, followed through the nodes that a gradient function added.

use std::sync::Arc;

use oplink_api::foreign::ForeignShapeFn;
use oplink_api::shape_inference::{ConstantInputs, merge_shapes};
use oplink_api::{NodeInfo, Output, PartialShape, Result, ResultExt, ShapeContext, Tensor};

use super::plan::node_of;
use super::{GradientOp, NodeOps, Program, Recorded, Recording, Shapes, record};

impl ForeignShapeFn for GradientOp {
    fn infer(&self, c: &mut ShapeContext<'_>) -> Result<()> {
        let forward = Arc::new(self.forward(c.node())?);
        let (inputs, outputs) = (forward.input_dtypes.len(), forward.output_dtypes.len());
        let given = |start: usize, count: usize| (start..start + count).map(|at| c.input(at).clone()).collect();
        let shapes = Shapes { inputs: given(0, inputs), outputs: given(inputs, outputs) };
        let gradients: Vec<PartialShape> = given(inputs + outputs, outputs);
        let wanted = self.wanted(c.node(), &forward)?;
        let is_known = shapes.inputs.iter().chain(&shapes.outputs).all(PartialShape::is_fully_known);
        let Recording { reads_shapes, program } = record(&self.nodes, &self.of, &forward, shapes.clone(), &wanted);
        let found = match program {
            Ok(program) => result_shapes(&self.nodes, &forward, &program, &shapes, &gradients)?,
            // What a run will tell may be what is missing.
            Err(_) if reads_shapes && !is_known => vec![None; inputs],
            Err(error) => return Err(error),
        };
        for (slot, target) in self.targets(&forward).into_iter().enumerate() {
            let shape = match (&found[target], wanted[target]) {
                (_, false) => PartialShape::new(&[Some(0)]),
                (Some(found), true) => merged(found, &shapes.inputs[target]),
                (None, true) => shapes.inputs[target].clone(),
            };
            c.set_output(slot, shape);
        }
        Ok(())
    }
}

/// A gradient has its input's shape. Where it has another one, the input is none that the gradient depends on, and an
/// empty tensor was given in its place.
fn merged(found: &PartialShape, input: &PartialShape) -> PartialShape {
    merge_shapes(found, input).unwrap_or_else(|_| found.clone())
}

/// The shapes of the gradients of inputs, as far as the shape functions of the nodes tell them; `None` for one that
/// there is not.
///
/// # Errors
/// Those of the shape functions, and of nodes that their ops refuse.
pub(crate) fn result_shapes(
    nodes: &NodeOps,
    forward: &NodeInfo,
    program: &Program,
    shapes: &Shapes,
    gradients: &[PartialShape],
) -> Result<Vec<Option<PartialShape>>> {
    let outputs = &forward.output_dtypes;
    let mut known = vec![shapes.inputs.clone(), shapes.outputs.clone(), gradients.to_vec()];
    let mut dtypes = vec![forward.input_dtypes.clone(), outputs.clone(), outputs.clone()];
    let shape = |known: &[Vec<PartialShape>], output: &Output| {
        known.get(output.node as usize).and_then(|of| of.get(output.index as usize)).cloned().unwrap_or_default()
    };
    for (at, recorded) in program.recorded.iter().enumerate() {
        let (made, of) = match recorded {
            _ if !program.is_live[at] => (Vec::new(), Vec::new()),
            Recorded::Constant(value) => (vec![value.shape().into()], vec![value.dtype()]),
            // What a host's own op gives is the host's to know.
            Recorded::Node(node) => match nodes.op(node.op) {
                None => (Vec::new(), Vec::new()),
                Some(op) => match node_of(op, node, &dtypes) {
                    Err(_) if reads_unknown(recorded, &dtypes) => (Vec::new(), Vec::new()),
                    Err(error) => return Err(error),
                    Ok((_, info)) => {
                        let inputs: Vec<PartialShape> = recorded.inputs().map(|input| shape(&known, input)).collect();
                        let constants = recorded.inputs().map(|input| constant(program, *input)).collect();
                        let made = op.infer(&info, &inputs, &Constants(constants));
                        let context = || format!("{} in the gradient of {}", node.op, forward.op.name);
                        (made.context_with(context)?, info.output_dtypes)
                    }
                },
            },
        };
        known.push(made);
        dtypes.push(of);
    }
    Ok(program.results.iter().map(|result| result.as_ref().map(|result| shape(&known, result))).collect())
}

/// Whether a node reads what a node of an op made that is the host's.
fn reads_unknown(recorded: &Recorded, dtypes: &[Vec<oplink_api::DType>]) -> bool {
    let is_known =
        |input: &Output| dtypes.get(input.node as usize).is_some_and(|of| of.get(input.index as usize).is_some());
    !recorded.inputs().all(is_known)
}

fn constant(program: &Program, output: Output) -> Option<&Tensor> {
    match program.recorded.get(super::record::position(output)?) {
        Some(Recorded::Constant(value)) => Some(value),
        _ => None,
    }
}

struct Constants<'a>(Vec<Option<&'a Tensor>>);

impl ConstantInputs for Constants<'_> {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.0.get(index).copied().flatten()
    }
}
