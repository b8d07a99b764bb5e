//! Values of outputs that follow from constants and known shapes, found by running the kernels of stateless nodes.

use std::cell::RefCell;
use std::sync::Arc;

use oplink_api::descriptors::OpFact;
use oplink_api::{DefaultEnv, Output, PartialShape, Tensor};
use oplink_core::{HOST_DEVICE_TYPE, PreparedKernel};

use super::rules::{self, Known};
use crate::Graph;
use crate::graph::{ConstantCache, Node};

/// Outputs with more elements are not computed ahead of a run: they are no shapes, axes or sizes.
const MAX_ELEMENTS: usize = 1 << 16;

/// Finds values in a graph, remembering each.
pub(super) struct Evaluator<'a> {
    graph: &'a Graph,
    cache: RefCell<&'a mut ConstantCache>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(graph: &'a Graph, cache: &'a mut ConstantCache) -> Self {
        Self { graph, cache: RefCell::new(cache) }
    }

    pub(super) fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The value of an output, where it can be known.
    pub(super) fn value(&self, wanted: Output) -> Option<Tensor> {
        let mut pending = vec![wanted.node];
        while let Some(&position) = pending.last() {
            if self.is_cached(position) {
                pending.pop();
                continue;
            }
            let values = match self.graph.node(position).map_or(Known::Never, rules_of(self.graph)) {
                Known::Values(values) => Some(values),
                Known::Never => None,
                Known::ByKernel(node) => {
                    let before = pending.len();
                    let unknown = node.inputs().iter().map(|input| input.node).filter(|&node| !self.is_cached(node));
                    pending.extend(unknown);
                    if pending.len() > before {
                        continue;
                    }
                    self.run(node)
                }
            };
            self.cache.borrow_mut().insert(position, values);
        }
        self.cached(wanted)
    }

    fn is_cached(&self, position: u32) -> bool {
        self.cache.borrow().contains(position)
    }

    fn cached(&self, output: Output) -> Option<Tensor> {
        let cache = self.cache.borrow();
        cache.get(output.node)?.get(output.index as usize)?.clone()
    }

    /// The outputs for the cached values of the inputs; `None` where one has none, or the kernel is missing or fails.
    fn run(&self, node: &Node) -> Option<Vec<Option<Tensor>>> {
        let mut inputs: Vec<Tensor> = node.inputs().iter().map(|&input| self.cached(input)).collect::<Option<_>>()?;
        let kernel = PreparedKernel::new(&self.graph.registry, Arc::clone(node.info()), HOST_DEVICE_TYPE).ok()?;
        let mut outputs = vec![None; node.num_outputs()];
        kernel.run(&mut inputs, &mut outputs, &DefaultEnv).ok()?;
        // A kernel that contradicts the op's shape function is reported by a run.
        let fits = |(value, shape): (&Option<Tensor>, &PartialShape)| {
            value.as_ref().is_some_and(|value| shape.accepts(value.shape()))
        };
        outputs.iter().zip(node.output_shapes()).all(fits).then_some(outputs)
    }
}

/// What is known of a node's outputs before it runs.
fn rules_of<'g>(graph: &'g Graph) -> impl FnOnce(&'g Node) -> Known<'g> {
    move |node| match rules::values(graph, node) {
        Some(values) => Known::Values(values),
        None if may_run(graph, node) => Known::ByKernel(node),
        None => Known::Never,
    }
}

/// Whether a node always computes the same outputs from the same inputs, and small ones, or such that are an input's
/// memory.
fn may_run(graph: &Graph, node: &Node) -> bool {
    let small = |shape: &PartialShape| shape.num_elements().is_some_and(|n| n <= MAX_ELEMENTS);
    let is_alias = || {
        let op = graph.registry.get_op(node.op_name());
        op.is_some_and(|op| op.facts.iter().any(|fact| matches!(fact, OpFact::Alias { .. })))
    };
    !node.info().op.flags.stateful
        && !node.known().is_control_flow()
        && !rules::is_fed_from_outside(node)
        && (node.output_shapes().iter().all(small) || is_alias())
}
