//! The values of nodes that are known before a run, as far as they were looked for.

use oplink_api::Tensor;

use super::NodeMap;

/// By node: the values of its outputs, `None` where they cannot be known.
#[derive(Debug, Default)]
pub(crate) struct ConstantCache(NodeMap<Option<Vec<Option<Tensor>>>>);

impl ConstantCache {
    /// Forgets what is known of the nodes from this position on.
    pub(crate) fn truncate(&mut self, count: u32) {
        self.0.truncate(count);
    }

    /// Takes the values of a node for unknown from now on.
    pub(crate) fn forget(&mut self, node: u32) {
        self.0.insert(node, None);
    }

    /// Whether the values of a node were looked for.
    pub(crate) fn contains(&self, node: u32) -> bool {
        self.0.contains(node)
    }

    /// The values of a node's outputs, where they were found.
    pub(crate) fn get(&self, node: u32) -> Option<&[Option<Tensor>]> {
        self.0.get(node)?.as_deref()
    }

    /// Keeps what was found.
    pub(crate) fn insert(&mut self, node: u32, values: Option<Vec<Option<Tensor>>>) {
        self.0.insert(node, values);
    }
}
