//! What a gradient function adds for one combination of attrs and dtypes, and of shapes where it asks for them.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::{Error, NodeInfo, OpForGradient, Output, PartialShape, Result, ensure};

use super::NodeOps;
use super::trace::{FIRST, GRADIENTS, INPUTS, OP, Recorded, TraceScope};
use crate::table::HostedOp;

/// Shapes of the inputs and outputs of the differentiated op, as far as they are known.
#[derive(Clone)]
pub(crate) struct Shapes {
    pub(crate) inputs: Vec<PartialShape>,
    pub(crate) outputs: Vec<PartialShape>,
}

impl Shapes {
    /// Of a node about whose tensors nothing is known.
    pub(crate) fn unknown(node: &NodeInfo) -> Self {
        let unknown = |count| vec![PartialShape::unknown(); count];
        Self { inputs: unknown(node.input_dtypes.len()), outputs: unknown(node.output_dtypes.len()) }
    }
}

/// A run of a gradient function.
pub(crate) struct Recording {
    /// Whether it asked for shapes: then what it added is for these alone.
    pub(crate) reads_shapes: bool,
    pub(crate) program: Result<Program>,
}

/// What a gradient function added.
pub(crate) struct Program {
    pub(crate) recorded: Vec<Recorded>,
    /// Of each node whether a gradient that is used depends on it.
    pub(crate) is_live: Vec<bool>,
    /// The gradient of each input: none where it is not used, and where there is none.
    pub(crate) results: Vec<Option<Output>>,
}

/// Runs the gradient function of an op; `wanted` tells of each input whether its gradient is used, of all where it is
/// empty.
pub(crate) fn record(
    nodes: &NodeOps,
    op: &HostedOp,
    node: &Arc<NodeInfo>,
    shapes: Shapes,
    wanted: &[bool],
) -> Recording {
    let values = |node: u32, count: usize| (0..count as u32).map(move |index| Output { node, index });
    let (inputs, outputs) = (node.input_dtypes.len(), node.output_dtypes.len());
    let mut scope = TraceScope::new(nodes, node);
    let sources = values(INPUTS, inputs).collect();
    let for_gradient =
        OpForGradient::new(OP, node.clone(), sources, shapes.inputs, shapes.outputs, vec![true; outputs])
            .with_wanted(wanted.to_vec());
    let dys: Vec<Output> = values(GRADIENTS, outputs).collect();
    let made = || {
        let none = || Error::unimplemented(format!("{} has no gradient", op.descriptor.name));
        let descriptor = op.gradient.ok_or_else(none)?;
        let results = descriptor.function.add(&mut scope, &for_gradient, &dys)?;
        let (location, count) = (descriptor.location, results.len());
        ensure!(count == inputs, "the gradient at {location} gives {count} gradients for {inputs} inputs");
        results.iter().flatten().try_for_each(|result| scope.dtype(*result).map(drop))?;
        let is_wanted = |at: usize| wanted.get(at).copied().unwrap_or(true);
        let results = results.into_iter().enumerate().map(|(at, result)| result.filter(|_| is_wanted(at)));
        Ok(Program::of(scope.recorded, results.collect()))
    };
    Recording { program: made(), reads_shapes: for_gradient.reads_shapes() }
}

impl Program {
    fn of(recorded: Vec<Recorded>, results: Vec<Option<Output>>) -> Self {
        let mut is_live = vec![false; recorded.len()];
        let mark = |is_live: &mut Vec<bool>, output: &Output| {
            if let Some(live) = position(*output).and_then(|at| is_live.get_mut(at)) {
                *live = true;
            }
        };
        results.iter().flatten().for_each(|result| mark(&mut is_live, result));
        for at in (0..recorded.len()).rev() {
            if is_live[at] {
                recorded[at].inputs().for_each(|input| mark(&mut is_live, input));
            }
        }
        Self { recorded, is_live, results }
    }

    /// The nodes that gradients depend on, at their positions.
    pub(crate) fn live(&self) -> impl Iterator<Item = (usize, &Recorded)> {
        self.recorded.iter().enumerate().filter(|(at, _)| self.is_live[*at])
    }

    /// Of each value of a node that stands for what is given whether a gradient depends on it.
    pub(crate) fn uses(&self, node: u32, count: usize) -> Vec<bool> {
        let mut used = vec![false; count];
        let read = self.live().flat_map(|(_, recorded)| recorded.inputs()).chain(self.results.iter().flatten());
        for output in read.filter(|output| output.node == node) {
            if let Some(used) = used.get_mut(output.index as usize) {
                *used = true;
            }
        }
        used
    }

    /// Whether the gradients' elements follow from the elements at their positions alone.
    pub(crate) fn is_elementwise(&self, nodes: &NodeOps) -> bool {
        self.live().all(|(_, recorded)| match recorded {
            Recorded::Constant(value) => value.rank() == 0,
            Recorded::Node(node) => nodes.op(node.op).is_some_and(HostedOp::is_elementwise),
        })
    }
}

/// The position of a recorded node.
pub(super) fn position(output: Output) -> Option<usize> {
    (output.node as usize).checked_sub(FIRST as usize)
}

impl Recorded {
    /// What the node reads.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Output> {
        let inputs = match self {
            Self::Constant(_) => &[][..],
            Self::Node(node) => &node.inputs,
        };
        inputs.iter().flat_map(|input| match input {
            Arg::One(one) => std::slice::from_ref(one),
            Arg::List(list) => list,
        })
    }
}
