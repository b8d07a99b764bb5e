//! A function's body with the nodes of its gradient beside its own.
//!
//! What the gradient reads of the forward nodes is *captured*: the forward function returns it beside its results, and
//! the backward function takes it as arguments.

use std::collections::{HashMap, HashSet};

use oplink_api::{DType, FuncAttr, Output, PartialShape, Result, Scope, Tensor, ensure};
use oplink_proto::FunctionDef;

use super::library::num_gradient_functions;
use super::{MAX_DEPTH, MAX_FUNCTIONS, Replaced, is_trainable};
use crate::functions::{Around, Body, FunctionOptions};
use crate::gradients::Differentiation;
use crate::gradients::raise::{Raising, raise_conditions, raise_loops};
use crate::gradients::reachability::source;
use crate::infer::known_value;
use crate::known_ops::KnownOp;
use crate::{Graph, GraphScope};

/// The name scope of a gradient's nodes in a body.
const PREFIX: &str = "gradients/";
/// Constants of so many elements become part of the backward function; larger ones are captured.
const MAX_COPIED: usize = 64;

/// A body and its gradient in one graph.
#[derive(Debug)]
pub(super) struct BodyGradient {
    pub(super) graph: Graph,
    pub(super) arguments: Vec<Output>,
    pub(super) results: Vec<Output>,
    effects: Vec<u32>,
    /// The gradients of the results that are differentiated: placeholders.
    pub(super) dys: Vec<Output>,
    /// For each argument that is differentiated by its gradient, where there is one.
    pub(super) gradients: Vec<Option<Output>>,
    /// The number of nodes of the body itself.
    count: usize,
    /// Nodes of the gradient.
    backward: Vec<u32>,
}

impl BodyGradient {
    /// The body of a function of the graph's library, for arguments of these shapes.
    ///
    /// # Errors
    /// There is no such function, or it is malformed; it calls itself; calls are nested too deep, or are too many.
    pub(super) fn body(graph: &Graph, function: &FuncAttr, shapes: &[PartialShape]) -> Result<Body> {
        let name = &*function.name;
        let entry = graph.functions.find(name)?;
        ensure!(
            graph.inside.iter().all(|outer| **outer != *name),
            "the function `{name}` calls itself: gradients of recursive functions are not supported; write a loop"
        );
        ensure!(graph.inside.len() < MAX_DEPTH, "more than {MAX_DEPTH} calls of functions inside one another");
        ensure!(
            num_gradient_functions(graph) < MAX_FUNCTIONS,
            "more than {MAX_FUNCTIONS} calls of functions are differentiated, each of which gets functions of its own; \
             call fewer, or calls in a loop"
        );
        let inside: Vec<_> = graph.inside.iter().cloned().chain([name.into()]).collect();
        let around = Around {
            functions: &graph.functions,
            registry: &graph.registry,
            versions: graph.versions.as_ref(),
            inside: &inside,
            call_inference: graph.call_inference,
        };
        Body::new(&around, entry, &function.attrs, Some(shapes))
    }

    /// Adds the gradient of the results that are `active` by the arguments that are `wanted`.
    ///
    /// # Errors
    /// An op of the body has no gradient.
    pub(super) fn new(body: Body, active: &[bool], wanted: &[bool]) -> Result<Self> {
        let Body { mut graph, arguments, results, mut effects, .. } = body;
        let (ys, xs) = (chosen(&results, active), chosen(&arguments, wanted));
        raise_all(&mut graph, &ys, &xs, &mut effects)?;
        let count = graph.nodes().len();
        let mut dys = Vec::with_capacity(ys.len());
        for &y in &ys {
            let (dtype, shape) = (graph.dtype(y).unwrap_or(DType::Invalid), graph.shape(y));
            dys.push(graph.scope().placeholder("dy", dtype, shape)?);
        }
        let found = Differentiation { ys: &ys, xs: &xs, dys: &dys, prefix: PREFIX }.add_to(&mut graph)?;
        let mut found = found.into_iter();
        let gradients = wanted.iter().map(|&wanted| if wanted { found.next().flatten() } else { None }).collect();
        Ok(Self { graph, arguments, results, effects, dys, gradients, count, backward: Vec::new() })
    }

    pub(super) fn scope(&mut self) -> GraphScope<'_> {
        GraphScope::inside(&mut self.graph, PREFIX)
    }

    /// The dtype of the gradient by an argument, where there is one.
    pub(super) fn gradient_dtype(&self, argument: usize) -> Option<DType> {
        self.gradients.get(argument).copied().flatten().and_then(|gradient| self.graph.dtype(gradient))
    }

    /// Zeros in the shape of an argument, or of the variable that it is a handle of.
    pub(super) fn zeros(&mut self, argument: usize, dtype: DType) -> Result<Output> {
        let x = self.arguments[argument];
        let shape = self.graph.shape(x);
        let mut scope = self.scope();
        zeros_of(&mut scope, x, dtype, &shape)
    }

    /// The argument that an output is, seen through ops that only forward a value.
    pub(super) fn argument_of(&self, output: Output) -> Option<usize> {
        let source = source(&self.graph, output);
        self.arguments.iter().position(|&argument| argument == source)
    }

    /// Finds what the gradients read of the forward nodes. Shapes, and what else of a value is small, are computed
    /// forward, so that the value itself is not kept; what is known beforehand becomes a constant.
    pub(super) fn capture(&mut self) -> Result<Vec<Output>> {
        let mut captured = self.walk();
        let mut known = HashMap::new();
        for &output in &captured {
            if let Some(value) = known_value(&mut self.graph, output).filter(|value| value.num_elements() <= MAX_COPIED)
            {
                known.insert(output, self.scope().constant(value)?);
            }
        }
        captured.retain(|output| !known.contains_key(output));
        self.substitute(&known);
        Ok(captured)
    }

    /// The outputs of forward nodes that the gradients read, in the order in which they are met.
    fn walk(&mut self) -> Vec<Output> {
        let mut captured = Vec::new();
        let mut seen: HashSet<Output> = self.dys.iter().copied().collect();
        let mut nodes = HashSet::new();
        let mut pending: Vec<Output> = self.gradients.iter().rev().flatten().copied().collect();
        while let Some(output) = pending.pop() {
            if !seen.insert(output) {
                continue;
            }
            if self.is_forward(output.node) {
                captured.push(output);
            } else if nodes.insert(output.node) {
                self.backward.push(output.node);
                pending.extend(self.graph.nodes()[output.node as usize].inputs().iter().rev());
            }
        }
        captured
    }

    /// Whether a node runs forward: one of the body, or one that tells of the body's values what is small.
    fn is_forward(&self, position: u32) -> bool {
        let node = &self.graph.nodes()[position as usize];
        let is_of_body = |input: &Output| (input.node as usize) < self.count;
        (position as usize) < self.count
            || node.known().summarizes() && !node.inputs().is_empty() && node.inputs().iter().all(is_of_body)
    }

    /// Lets the nodes of the gradient read other outputs.
    pub(super) fn substitute(&mut self, by: &HashMap<Output, Output>) {
        for &node in &self.backward {
            for input in &mut self.graph.nodes[node as usize].inputs {
                *input = by.get(input).copied().unwrap_or(*input);
            }
        }
        for gradient in self.gradients.iter_mut().flatten() {
            *gradient = by.get(gradient).copied().unwrap_or(*gradient);
        }
    }

    /// The function that computes what the body does, with more arguments and results.
    ///
    /// # Errors
    /// As [`Graph::to_function`].
    pub(super) fn forward(&self, name: &str, arguments: &[Output], results: &[Output]) -> Result<FunctionDef> {
        let (arguments, results) = ([&self.arguments, arguments].concat(), [&self.results, results].concat());
        let options = FunctionOptions { control_outputs: &self.effects, ..FunctionOptions::default() };
        self.graph.to_function(name, &arguments, &results, &options)
    }

    /// A function of the gradient's nodes.
    ///
    /// # Errors
    /// As [`Graph::to_function`].
    pub(super) fn backward(&self, name: &str, arguments: &[Output], results: &[Output]) -> Result<FunctionDef> {
        self.graph.to_function(name, arguments, results, &FunctionOptions::default())
    }
}

/// Raises the loops of `Enter` and `Exit` and the conditions of `Switch` and `Merge` of a body. What has effects in
/// them runs in the functions that they become.
fn raise_all(graph: &mut Graph, ys: &[Output], xs: &[Output], effects: &mut Vec<u32>) -> Result<()> {
    let (mut replaced, moved) = (Replaced::default(), HashSet::new());
    let mut raising = Raising { graph, prefix: PREFIX, replaced: &mut replaced, moved };
    raise_loops(&mut raising, ys, xs)?;
    raise_conditions(&mut raising, ys, xs)?;
    let moved = raising.moved;
    effects.retain(|effect| !moved.contains(effect));
    Ok(())
}

/// Those that are chosen.
pub(super) fn chosen(outputs: &[Output], which: &[bool]) -> Vec<Output> {
    outputs.iter().zip(which).filter(|(_, chosen)| **chosen).map(|(&output, _)| output).collect()
}

/// Zeros of a dtype in the shape of `x`, or of the variable that `x` is a handle of.
pub(super) fn zeros_of(scope: &mut GraphScope<'_>, x: Output, dtype: DType, shape: &PartialShape) -> Result<Output> {
    let is_handle = scope.graph().dtype(x) == Some(DType::Resource);
    if !is_handle && (!is_trainable(dtype) || dtype == DType::Variant) {
        return super::add_one(scope, KnownOp::ZerosLike, &[x]);
    }
    if let Some(shape) = shape.to_shape().filter(|shape| !is_handle && shape.num_elements() <= MAX_COPIED) {
        return scope.constant(Tensor::zeros(dtype, shape)?);
    }
    let of = if is_handle { KnownOp::VariableShape } else { KnownOp::Shape };
    let (shape, zero) = (super::add_one(scope, of, &[x])?, scope.constant(Tensor::zeros(dtype, [0usize; 0])?)?);
    super::add_one(scope, KnownOp::BroadcastTo, &[zero, shape])
}
