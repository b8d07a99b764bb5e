//! A function's body made ready to be copied: the nodes that its results and effects need, rewritten once for all
//! calls.

use oplink_api::{AttrMap, DType, Output, PartialShape, Result};

use super::is_call;
use crate::functions::Body;
use crate::graph::{Feeds, Node, NodeMap};
use crate::passes::{BODY_PASSES, Rewrite};
use crate::signature::Signature;

/// A body. Its nodes are numbered from 0, in an order in which each comes after those that it waits for.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) parts: Vec<Part>,
    pub(super) results: Vec<Read>,
    /// Nodes that run whether or not a result needs them.
    pub(super) effects: Vec<Wait>,
    /// The nodes that call functions.
    pub(super) calls: Vec<u32>,
    pub(super) has_control_flow: bool,
    pub(super) input_dtypes: Vec<DType>,
    pub(super) output_dtypes: Vec<DType>,
}

/// One node of a body.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) node: Node,
    pub(super) inputs: Vec<Read>,
    pub(super) control: Vec<Wait>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    /// An argument.
    Argument(usize),
    /// An output of a node of the body.
    Inner(Output),
}

/// What a node waits for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wait {
    /// The node that an argument comes from.
    Argument(usize),
    /// A node of the body.
    Inner(u32),
}

impl Part {
    /// Whether the node waits for nothing at all.
    pub(super) fn is_source(&self) -> bool {
        self.inputs.is_empty() && self.control.is_empty()
    }

    /// Whether the node waits for nothing in the body, but may wait for arguments.
    pub(super) fn starts(&self) -> bool {
        self.inputs.iter().all(|read| matches!(read, Read::Argument(_)))
            && self.control.iter().all(|wait| matches!(wait, Wait::Argument(_)))
    }

    /// Whether the node has effects.
    pub(super) fn is_stateful(&self) -> bool {
        self.node.info().op.flags.stateful && !self.node.known().is_placeholder()
    }
}

impl Template {
    /// The body of a function that is called with these attrs and shapes; `None` where it cannot be made.
    ///
    /// # Errors
    /// The time to make a plan is over.
    pub(super) fn of_call(
        around: &Rewrite,
        name: &str,
        attrs: &AttrMap,
        shapes: &[PartialShape],
    ) -> Result<Option<Self>> {
        let Some(body) = Body::of_call(&around.graph, name, attrs, shapes) else { return Ok(None) };
        let (input_dtypes, output_dtypes) = (body.input_dtypes, body.output_dtypes);
        let feeds: Feeds = body.arguments.iter().copied().collect();
        let signature = Signature { feeds, fetches: body.results, targets: body.effects };
        let mut rewrite = around.of_body(body.graph, signature);
        let rewritten = rewrite.run_passes(BODY_PASSES).and_then(|()| rewrite.needed());
        around.check_time()?;
        Ok(rewritten
            .ok()
            .map(|needed| Numbering::new(&rewrite, &needed).template(&needed, input_dtypes, output_dtypes)))
    }
}

/// The numbers of a body's nodes.
struct Numbering<'r> {
    rewrite: &'r Rewrite,
    /// By position in the body: which argument it is.
    arguments: NodeMap<usize>,
    numbers: NodeMap<u32>,
}

impl<'r> Numbering<'r> {
    fn new(rewrite: &'r Rewrite, needed: &[u32]) -> Self {
        let (mut arguments, mut numbers) = (NodeMap::default(), NodeMap::default());
        for (at, argument) in rewrite.signature.feeds.iter().enumerate() {
            arguments.insert(argument.node, at);
        }
        for (&node, number) in needed.iter().zip(0..) {
            numbers.insert(node, number);
        }
        Self { rewrite, arguments, numbers }
    }

    fn template(&self, needed: &[u32], input_dtypes: Vec<DType>, output_dtypes: Vec<DType>) -> Template {
        let calls = (0..).zip(needed).filter(|(_, node)| is_call(self.rewrite, **node)).map(|(number, _)| number);
        let decides = |&node: &u32| self.rewrite.node(node).known().is_control_flow();
        Template {
            parts: needed.iter().map(|&node| self.part(node)).collect(),
            results: self.rewrite.signature.fetches.iter().map(|&result| self.read(result)).collect(),
            effects: self.rewrite.signature.targets.iter().map(|&effect| self.wait(effect)).collect(),
            calls: calls.collect(),
            has_control_flow: needed.iter().any(decides),
            input_dtypes,
            output_dtypes,
        }
    }

    fn part(&self, position: u32) -> Part {
        let node = self.rewrite.node(position).clone();
        let inputs = node.inputs().iter().map(|&input| self.read(input)).collect();
        let control = node.control_inputs().iter().map(|&before| self.wait(before)).collect();
        Part { node, inputs, control }
    }

    fn read(&self, output: Output) -> Read {
        match self.arguments.get(output.node) {
            Some(&argument) => Read::Argument(argument),
            None => Read::Inner(Output { node: self.number(output.node), ..output }),
        }
    }

    fn wait(&self, position: u32) -> Wait {
        match self.arguments.get(position) {
            Some(&argument) => Wait::Argument(argument),
            None => Wait::Inner(self.number(position)),
        }
    }

    /// The number of a needed node.
    fn number(&self, position: u32) -> u32 {
        self.numbers.get(position).copied().unwrap_or_default()
    }
}
