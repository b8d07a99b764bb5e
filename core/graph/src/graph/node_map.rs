//! Tables by node: dense, since nodes are numbered from 0.

/// A value for some of the nodes.
#[derive(Clone, Debug)]
pub(crate) struct NodeMap<V>(Vec<Option<V>>);

/// Some of the nodes.
pub(crate) type NodeSet = NodeMap<()>;

impl<V> Default for NodeMap<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> NodeMap<V> {
    /// The value of a node.
    pub(crate) fn get(&self, node: u32) -> Option<&V> {
        self.0.get(node as usize)?.as_ref()
    }

    /// Whether the node has a value.
    pub(crate) fn contains(&self, node: u32) -> bool {
        self.get(node).is_some()
    }

    /// Gives a node a value and returns the one that it had.
    pub(crate) fn insert(&mut self, node: u32, value: V) -> Option<V> {
        let at = node as usize;
        if at >= self.0.len() {
            self.0.resize_with(at + 1, || None);
        }
        self.0[at].replace(value)
    }

    /// Takes the values of the nodes from this position on away.
    pub(crate) fn truncate(&mut self, count: u32) {
        self.0.truncate(count as usize);
    }

    /// The values in the order of the nodes.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().flatten()
    }
}

impl FromIterator<u32> for NodeSet {
    fn from_iter<I: IntoIterator<Item = u32>>(nodes: I) -> Self {
        let mut set = Self::default();
        for node in nodes {
            set.insert(node, ());
        }
        set
    }
}
