//! Whether a loop's body does nothing with the elements of a list but multiply them by a matrix that the loop does not
//! change.

use std::collections::HashMap;

use oplink_api::Output;

use super::body::Body;
use crate::graph::{Graph, Node};
use crate::known_ops::KnownOp;

/// Products of all elements of a list with one matrix.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ListProducts {
    /// The argument that is the matrix.
    pub(crate) matrix: usize,
    /// Whether the matrix is transposed first.
    pub(crate) transposed: bool,
    /// Names of the nodes that multiply.
    pub(crate) products: Vec<String>,
}

impl ListProducts {
    /// Those of the list that is the argument `list`, where the body reads it for nothing else.
    pub(crate) fn find(body: &Body, list: usize) -> Option<Self> {
        let reads = Reads::of(body);
        if !reads.is_kept(list) {
            return None;
        }
        let elements = reads.readers_of(reads.argument(list)?)?;
        let mut found: Option<Self> = None;
        for element in elements {
            let node = &body.graph.nodes()[element as usize];
            if node.known() != KnownOp::TensorListGetItem || reads.source(node.inputs()[0]) != reads.argument(list)? {
                return None;
            }
            for product in reads.readers_of(Output { node: element, index: 0 })? {
                let (matrix, transposed) = reads.factor(product, element)?;
                let name = body.graph.nodes()[product as usize].name().to_owned();
                let found = found.get_or_insert(Self { matrix, transposed, products: Vec::new() });
                if (found.matrix, found.transposed) != (matrix, transposed) {
                    return None;
                }
                found.products.push(name);
            }
        }
        found
    }
}

/// Whether a function reads an argument at all, but to return it.
pub(crate) fn is_read(body: &Body, argument: usize) -> bool {
    let reads = Reads::of(body);
    reads.argument(argument).and_then(|argument| reads.readers_of(argument)).is_none_or(|readers| !readers.is_empty())
}

/// Who reads what in a body.
struct Reads<'a> {
    body: &'a Body,
    /// By what is read, seen through identities: the nodes that read it.
    readers: HashMap<Output, Vec<u32>>,
}

impl<'a> Reads<'a> {
    fn of(body: &'a Body) -> Self {
        let mut reads = Self { body, readers: HashMap::new() };
        for (node, position) in body.graph.nodes().iter().zip(0..).filter(|(node, _)| !is_identity(node)) {
            for &input in node.inputs() {
                let of_source = reads.readers.entry(source(&body.graph, input)).or_default();
                if !of_source.contains(&position) {
                    of_source.push(position);
                }
            }
        }
        reads
    }

    fn source(&self, output: Output) -> Output {
        source(&self.body.graph, output)
    }

    fn argument(&self, at: usize) -> Option<Output> {
        self.body.arguments.get(at).copied()
    }

    /// Whether the result at a position is the argument there.
    fn is_kept(&self, at: usize) -> bool {
        let result = self.body.results.get(at).map(|&result| self.source(result));
        result.is_some() && result == self.argument(at)
    }

    /// The nodes that read a value; `None` where one returns it, but for an argument that stays what it is.
    fn readers_of(&self, output: Output) -> Option<Vec<u32>> {
        let returns = |(at, &result): (usize, &Output)| self.source(result) == output && !self.is_kept(at);
        let is_returned = self.body.results.iter().enumerate().any(returns);
        (!is_returned).then(|| self.readers.get(&output).cloned().unwrap_or_default())
    }

    /// The argument by which a node multiplies an element, where that argument stays what it is.
    fn factor(&self, product: u32, element: u32) -> Option<(usize, bool)> {
        let node = &self.body.graph.nodes()[product as usize];
        let (&[left, right], KnownOp::MatMul) = (node.inputs(), node.known()) else { return None };
        let flag = |name| node.info().attr::<bool>(name).unwrap_or(false);
        let right = self.source(right);
        let matrix = self.body.arguments.iter().position(|&argument| argument == right)?;
        let multiplies = self.source(left) == Output { node: element, index: 0 } && !flag("transpose_a");
        let waits = !node.control_inputs().is_empty() || self.body.effects.contains(&product);
        (multiplies && !waits && self.is_kept(matrix)).then_some((matrix, flag("transpose_b")))
    }
}

fn is_identity(node: &Node) -> bool {
    node.known() == KnownOp::Identity
}

/// What an output is, seen through identities.
pub(super) fn source(graph: &Graph, mut output: Output) -> Output {
    while let Some(node) = graph.node(output.node).filter(|node| is_identity(node)) {
        output = node.inputs()[0];
    }
    output
}
