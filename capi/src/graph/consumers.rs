//! Who reads an output and who waits for a node, found when it is first asked for.

use oplink_api::Output;
use oplink_graph::Graph;

/// Readers and waiters by node.
#[derive(Debug, Default)]
pub(super) struct Consumers {
    /// For each node: which output, the reader, and which of its inputs.
    readers: Vec<Vec<(u32, u32, u32)>>,
    /// For each node: who waits for it.
    waiters: Vec<Vec<u32>>,
}

impl Consumers {
    /// Takes nodes in that were added since the last call.
    pub(super) fn update(&mut self, graph: &Graph) {
        let (known, count) = (self.readers.len(), graph.nodes().len());
        self.readers.resize_with(count, Vec::new);
        self.waiters.resize_with(count, Vec::new);
        for (position, node) in graph.nodes().iter().enumerate().skip(known) {
            for (index, input) in node.inputs().iter().enumerate() {
                self.readers[input.node as usize].push((input.index, position as u32, index as u32));
            }
            for &before in node.control_inputs() {
                self.waiters[before as usize].push(position as u32);
            }
        }
    }

    /// Forgets everything, because edges moved.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The inputs that read an output: node and position.
    pub(super) fn of_output(&self, output: Output) -> impl Iterator<Item = (u32, u32)> {
        let all = self.readers.get(output.node as usize).into_iter().flatten();
        all.filter(move |(index, ..)| *index == output.index).map(|&(_, node, input)| (node, input))
    }

    /// The nodes that wait for a node.
    pub(super) fn of_node(&self, node: u32) -> &[u32] {
        self.waiters.get(node as usize).map_or(&[], Vec::as_slice)
    }
}
