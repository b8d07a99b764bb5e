//! Shape inference of one node: its op's shape function over the inferred shapes of its inputs and the values that are
//! known before anything runs.
//!
//! `evaluate` finds values of whole outputs, `partial` the shape that a vector of extents stands for where only some of
//! its elements are known, `rules` what follows from the shape of an input alone.

mod evaluate;
mod inputs;
mod partial;
mod rules;

use std::panic::{AssertUnwindSafe, catch_unwind};

use oplink_api::foreign::ShapeInference;
use oplink_api::shape_inference::HandleShape;
use oplink_api::{Error, ErrorKind, NodeInfo, Output, PartialShape, Result, ShapeContext, Tensor};

use evaluate::Evaluator;
use inputs::KnownInputs;

use crate::Graph;

/// What inference says of a node's outputs.
#[derive(Debug, Default)]
pub(crate) struct Inferred {
    pub(crate) shapes: Vec<PartialShape>,
    pub(crate) handles: Vec<(usize, Vec<HandleShape>)>,
}

/// Infers the output shapes of a node that has these inputs, which exist.
///
/// # Errors
/// The op's shape function refuses, with the input shapes, or panics.
pub(crate) fn infer_node(graph: &mut Graph, info: &NodeInfo, inputs: &[Output]) -> Result<Inferred> {
    let shapes: Vec<PartialShape> = inputs.iter().map(|&input| graph.shape(input)).collect();
    if let Some(results) = (graph.call_inference)(graph, info, &shapes) {
        graph.is_cut |= results.is_cut;
        if let Some(shapes) = results.shapes {
            return Ok(Inferred { shapes, handles: Vec::new() });
        }
    }
    let Some(shape_fn) = info.shape_fn else {
        return Ok(Inferred { shapes: vec![PartialShape::unknown(); info.output_dtypes.len()], handles: Vec::new() });
    };
    let mut cache = std::mem::take(&mut graph.constants);
    let inferred = {
        let evaluator = Evaluator::new(graph, &mut cache);
        let known = KnownInputs::new(&evaluator, inputs);
        let mut context = ShapeContext::new(info, &shapes, &known);
        run_shape_fn(shape_fn, &mut context)
            .map(|()| Inferred { handles: context.take_output_handle_shapes(), shapes: context.into_output_shapes() })
    };
    graph.constants = cache;
    inferred.map_err(|error| with_inputs(error, info, &shapes))
}

/// The value of an output, where it follows from constants and known shapes.
pub(crate) fn known_value(graph: &mut Graph, output: Output) -> Option<Tensor> {
    let mut cache = std::mem::take(&mut graph.constants);
    let value = Evaluator::new(graph, &mut cache).value(output);
    graph.constants = cache;
    value
}

impl Graph {
    /// The value of an output, where it follows from constants and known shapes.
    pub fn constant_value(&mut self, output: Output) -> Option<Tensor> {
        known_value(self, output)
    }
}

/// Runs a shape function.
///
/// # Errors
/// It refuses the inputs, or panics.
pub(crate) fn run_shape_fn(shape_fn: ShapeInference, context: &mut ShapeContext<'_>) -> Result<()> {
    match catch_unwind(AssertUnwindSafe(|| shape_fn.infer(context))) {
        Ok(Err(error)) if error.kind() == ErrorKind::InvalidArgument => Err(error.with_kind(ErrorKind::ShapeInference)),
        Ok(result) => result,
        Err(_) => Err(Error::internal("the op's shape function panicked").with_kind(ErrorKind::ShapeInference)),
    }
}

/// Adds the dtypes and shapes of the inputs to an error.
#[cold]
pub(crate) fn with_inputs(error: Error, info: &NodeInfo, shapes: &[PartialShape]) -> Error {
    let inputs = info.input_dtypes.iter().zip(shapes).enumerate();
    inputs.fold(error, |error, (index, (dtype, shape))| error.context(format!("input {index}: {dtype} {shape}")))
}
