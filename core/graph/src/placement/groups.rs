//! Nodes that share a device: those that name each other in `_class`, and those that take a resource or a reference
//! with the one that makes it.
//!
//! What colocated nodes ask for must agree. A node that takes a resource goes where the resource is, whatever it asks
//! for itself; where the resource's maker asks for nothing, it goes where those ask that take it.

use std::collections::HashMap;

use oplink_api::{AttrValue, Code, DType, Error, ErrorKind, NodeInfo, Result};
use oplink_core::DeviceName;

use super::MultiDevicePlacer;
use crate::Graph;
use crate::functions::calls_function;
use crate::graph::{Node, NodeSet};
use crate::kernels::Results;
use crate::signature::Signature;

/// The attr that names the nodes to be placed together.
const CLASS_ATTR: &str = "_class";
/// What stands before a node's name there.
const PREFIX: &str = "loc:@";

/// The nodes of a graph in groups.
pub(super) struct Groups {
    parent: Vec<u32>,
    /// What each group asks for, by its root.
    wanted: Vec<DeviceName>,
    /// What the makers of its resources ask for.
    resource: Vec<DeviceName>,
}

impl Groups {
    /// The groups of all nodes of a graph: a node that is not needed has its say too, so that all plans of a session
    /// agree.
    ///
    /// # Errors
    /// A needed node asks for a device by a malformed name; without soft placement, colocated nodes ask for different
    /// devices.
    pub(super) fn of(
        placer: &MultiDevicePlacer,
        graph: &Graph,
        signature: &Signature,
        needed: &[u32],
        results: Results<'_>,
    ) -> Result<Self> {
        let needed: NodeSet = needed.iter().copied().collect();
        let count = graph.nodes().len();
        let mut groups = Self {
            parent: (0..count as u32).collect(),
            wanted: Vec::new(),
            resource: vec![DeviceName::default(); count],
        };
        for (position, node) in graph.nodes().iter().enumerate() {
            groups.wanted.push(match DeviceName::parse(node.device()) {
                Ok(request) => request,
                Err(error) if needed.contains(position as u32) => {
                    let asked = format!("the device `{}` that the node asks for", node.device().escape_debug());
                    return Err(of_node(node.info(), error.context(asked)));
                }
                Err(_) => DeviceName::default(),
            });
        }
        if let Results::OfFunction(arguments) = results {
            for (feed, device) in signature.feeds.iter().zip(arguments) {
                groups.resource[feed.node as usize] = DeviceName::parse(device).unwrap_or_default();
            }
        }
        groups.colocate(placer, graph, &needed)?;
        groups.follow_resources(placer, graph);
        (0..count as u32).for_each(|node| groups.parent[node as usize] = groups.root(node));
        Ok(groups)
    }

    /// The root of a node's group.
    pub(super) fn root(&self, node: u32) -> u32 {
        let mut at = node;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    /// The root of a node's group, to which the nodes on the way there are brought nearer.
    fn find_root(&mut self, node: u32) -> u32 {
        let mut at = node as usize;
        while self.parent[at] as usize != at {
            let next = self.parent[at] as usize;
            self.parent[at] = self.parent[next];
            at = next;
        }
        at as u32
    }

    /// What the group of a root asks for.
    pub(super) fn wanted(&self, root: u32) -> DeviceName {
        self.resource[root as usize].or(&self.wanted[root as usize])
    }

    fn colocate(&mut self, placer: &MultiDevicePlacer, graph: &Graph, needed: &NodeSet) -> Result<()> {
        let mut first: HashMap<&str, u32> = HashMap::new();
        let classes = graph.nodes().iter().flat_map(|node| classes(node.info()));
        if classes.count() == 0 {
            return Ok(());
        }
        for (position, node) in graph.nodes().iter().enumerate() {
            let position = position as u32;
            for class in classes_and_name(node) {
                let other = *first.entry(class).or_insert(position);
                self.join(placer, graph, position, other, needed)?;
            }
        }
        Ok(())
    }

    /// Makes one group of two, which must agree.
    fn join(
        &mut self,
        placer: &MultiDevicePlacer,
        graph: &Graph,
        node: u32,
        other: u32,
        needed: &NodeSet,
    ) -> Result<()> {
        let (from, to) = (self.find_root(node), self.find_root(other));
        if from == to {
            return Ok(());
        }
        let (one, two) = (&self.wanted[to as usize], &self.wanted[from as usize]);
        let merged = match one.merge(two) {
            Ok(merged) => merged,
            Err(_) if placer.soft || !needed.contains(node) => one.softened().or(&two.softened()),
            Err(_) => return Err(apart(graph, node, other)),
        };
        self.unite(from, to, merged);
        Ok(())
    }

    fn unite(&mut self, from: u32, to: u32, wanted: DeviceName) {
        self.wanted[to as usize] = wanted;
        let resource = self.resource[from as usize].or(&self.resource[to as usize]);
        self.resource[to as usize] = resource;
        self.parent[from as usize] = to;
    }

    /// Puts who takes a resource or a reference to who makes it.
    fn follow_resources(&mut self, placer: &MultiDevicePlacer, graph: &Graph) {
        for (position, node) in graph.nodes().iter().enumerate() {
            if makes_resource(node.info()) {
                let root = self.find_root(position as u32) as usize;
                let own = std::mem::take(&mut self.wanted[root]);
                self.resource[root] = self.resource[root].or(&own);
            }
        }
        for (position, node) in graph.nodes().iter().enumerate() {
            if calls_function(graph, node.info()) {
                continue;
            }
            for (index, input) in node.inputs().iter().enumerate() {
                let dtype = node.info().input_dtypes.get(index);
                if dtype == Some(&DType::Resource) || node.info().is_ref_input(index) {
                    self.follow(placer, position as u32, input.node);
                }
            }
        }
    }

    fn follow(&mut self, placer: &MultiDevicePlacer, node: u32, maker: u32) {
        let (from, to) = (self.find_root(node), self.find_root(maker));
        if from == to {
            return;
        }
        let (one, two) = (&self.wanted[to as usize], &self.wanted[from as usize]);
        let merged = match one.merge(two) {
            Ok(merged) => merged,
            Err(_) if placer.soft => one.softened().or(&two.softened()),
            Err(_) => two.or(one),
        };
        self.unite(from, to, merged);
    }
}

/// Whether handles to a resource come from the node, and none goes in.
fn makes_resource(info: &NodeInfo) -> bool {
    let makes = info.output_dtypes.contains(&DType::Resource)
        || (0..info.output_dtypes.len()).any(|index| info.is_ref_output(index));
    let takes = info.input_dtypes.contains(&DType::Resource)
        || (0..info.input_dtypes.len()).any(|index| info.is_ref_input(index));
    makes && !takes
}

/// The names that a node is colocated with.
fn classes(info: &NodeInfo) -> impl Iterator<Item = &str> {
    let list = match info.attrs.get(CLASS_ATTR) {
        Some(AttrValue::Strings(list)) => list.as_slice(),
        _ => &[],
    };
    list.iter().filter_map(|class| std::str::from_utf8(class).ok()?.strip_prefix(PREFIX))
}

fn classes_and_name(node: &Node) -> impl Iterator<Item = &str> {
    classes(node.info()).chain([node.name()])
}

/// Adds the node.
#[cold]
pub(super) fn of_node(node: &NodeInfo, error: Error) -> Error {
    error.context(format!("node `{}` (op {})", node.name, node.op.name))
}

#[cold]
fn apart(graph: &Graph, node: u32, other: u32) -> Error {
    let (node, other) = (&graph.nodes()[node as usize], &graph.nodes()[other as usize]);
    let message = format!(
        "the node asks for the device `{}` and to be placed with `{}`, whose group asks for another (`{}`); change one of \
         them or allow soft placement",
        node.device(),
        other.name(),
        other.device()
    );
    of_node(node.info(), Error::new(Code::InvalidArgument, ErrorKind::InvalidArgument, message))
}
