//! The device of each group: the first of those asked for that has kernels for all of its nodes.

use oplink_api::{Code, Error, ErrorKind, NodeInfo, Result};
use oplink_core::{ANY_OP, Registry, kernel_label};

use super::groups::{Groups, of_node};
use super::{Request, Several};
use crate::Graph;
use crate::executor::{constant_of, hands_input_on, in_one_error};
use crate::functions::calls_function;
use crate::graph::{Node, NodeMap};
use crate::known_ops::is_control_flow;
use crate::plan::Signature;

/// Devices that an error says the reason of.
const MAX_EXPLAINED: usize = 4;

impl Several {
    /// The position of each node's device, for the needed nodes that have a kernel.
    ///
    /// # Errors
    /// Groups that no device serves, all in one error.
    pub(super) fn choose(
        &self,
        graph: &Graph,
        signature: &Signature,
        needed: &[u32],
        groups: &Groups,
    ) -> Result<NodeMap<usize>> {
        let mut members: NodeMap<Vec<u32>> = NodeMap::default();
        let mut roots = Vec::new();
        for &node in needed {
            let root = groups.root(node);
            match members.get_mut(root) {
                Some(nodes) => nodes.push(node),
                None => {
                    members.insert(root, vec![node]);
                    roots.push(root);
                }
            }
        }
        let (mut chosen, mut failed) = (NodeMap::default(), Vec::new());
        for root in roots {
            let Some(nodes) = members.get(root) else { continue };
            match self.of_group(graph, signature, nodes, &groups.wanted(root)) {
                Ok(device) => nodes.iter().for_each(|&node| {
                    let device = if self.is_bound_to_host(graph, node) { self.host } else { device };
                    chosen.insert(node, device);
                }),
                Err(error) => failed.push(error),
            }
        }
        in_one_error(failed)?;
        Ok(chosen)
    }

    fn of_group(&self, graph: &Graph, signature: &Signature, nodes: &[u32], wanted: &Request) -> Result<usize> {
        let computes = |node: &u32| {
            let of_graph = &graph.nodes()[*node as usize];
            needs_kernel(graph, signature, of_graph) && !self.is_bound_to_host(graph, *node)
        };
        let computing: Vec<u32> = nodes.iter().copied().filter(computes).collect();
        let asked = |wanted: &Request| -> Vec<usize> {
            (0..self.devices.len()).filter(|&device| wanted.is_met_by(&self.names[device])).collect()
        };
        let mut wanted = wanted.clone();
        let mut named = asked(&wanted);
        if named.is_empty() && self.soft {
            wanted = wanted.softened();
            named = asked(&wanted);
        }
        if named.is_empty() {
            return Err(self.unknown(graph, nodes));
        }
        let serves = |device: &usize| {
            computing.iter().all(|&node| self.serves(graph, node, *device, wanted.has_type()))
        };
        if let Some(device) = named.iter().copied().find(serves) {
            return Ok(device);
        }
        if self.soft
            && let Some(device) = asked(&wanted.softened()).into_iter().find(serves)
        {
            return Ok(device);
        }
        if !wanted.has_type() && computing.len() == 1 {
            // The node's preparation says why no kernel fits.
            return Ok(named.into_iter().find(|&device| device == self.host).unwrap_or(self.host));
        }
        Err(self.unserved(graph, &computing, &named))
    }

    /// Whether the node runs on the host wherever it is asked for: one that calls a function, whose nodes are placed each
    /// by itself, and one that only waits.
    fn is_bound_to_host(&self, graph: &Graph, node: u32) -> bool {
        let node = &graph.nodes()[node as usize];
        let waits = node.inputs().is_empty() && node.num_outputs() == 0;
        waits || calls_function(graph, node.info())
    }

    /// Whether a device has a kernel for a node. A kernel that serves any op counts where the type is asked for, or where
    /// there is no other device.
    fn serves(&self, graph: &Graph, node: u32, device: usize, asked: bool) -> bool {
        let info = graph.nodes()[node as usize].info();
        let device_type = self.devices[device].device_type();
        let only = || self.devices.iter().all(|other| other.device_type() == device_type);
        let kernel = find(graph.registry(), info, device_type);
        kernel.is_some_and(|op| op != ANY_OP || asked || only())
    }

    #[cold]
    fn unknown(&self, graph: &Graph, nodes: &[u32]) -> Error {
        let asks = nodes.iter().map(|&node| &graph.nodes()[node as usize]).find(|node| !node.device().is_empty());
        let node = asks.unwrap_or(&graph.nodes()[nodes[0] as usize]);
        let soft = if self.soft { "" } else { ", or allow soft placement" };
        let message = format!(
            "the node asks for the device `{}`, which the session does not have; it has {}: ask for one of them{soft}",
            node.device(),
            self.listed(0..self.devices.len())
        );
        of_node(node.info(), Error::new(Code::InvalidArgument, ErrorKind::InvalidArgument, message))
    }

    /// No device of those asked for serves all nodes of a group.
    #[cold]
    fn unserved(&self, graph: &Graph, nodes: &[u32], named: &[usize]) -> Error {
        let lacks = |&node: &u32| named.iter().any(|&device| !self.serves(graph, node, device, true));
        let node = nodes.iter().copied().find(lacks).unwrap_or(nodes[0]);
        let info = graph.nodes()[node as usize].info();
        let able = (0..self.devices.len()).filter(|&device| nodes.iter().all(|&n| self.serves(graph, n, device, true)));
        let able: Vec<usize> = able.collect();
        let together = match nodes.len() {
            1 => String::new(),
            count => format!(" with all {count} nodes that are placed together"),
        };
        let asked = if info.device.is_empty() { "none".to_owned() } else { format!("`{}`", info.device) };
        let mut message = format!(
            "no device can run the node{together} as it is asked for (device asked for: {asked}); devices that could: {}",
            self.listed(able.iter().copied())
        );
        if !self.soft && !able.is_empty() {
            message.push_str("; ask for one of them or allow soft placement");
        }
        let error = of_node(info, Error::new(Code::InvalidArgument, ErrorKind::NoMatchingKernel, message));
        let mut types: Vec<&str> = named.iter().map(|&device| self.devices[device].device_type()).collect();
        types.dedup();
        types.into_iter().take(MAX_EXPLAINED).fold(error, |error, device_type| {
            match graph.registry().find_kernel(&info.op.name, device_type, kernel_label(info), info) {
                Ok(_) => error,
                Err(missing) => error.context(format!("{device_type}: {}", missing.message())),
            }
        })
    }
}

/// The op that the kernel of a node for a device type is declared for.
fn find(registry: &Registry, info: &NodeInfo, device_type: &str) -> Option<&'static str> {
    let kernel = registry.get_kernel(&info.op.name, device_type, kernel_label(info), info)?;
    Some(kernel.descriptor.op)
}

fn needs_kernel(graph: &Graph, signature: &Signature, node: &Node) -> bool {
    constant_of(node).is_none()
        && hands_input_on(graph, node, &signature.feeds).is_none()
        && !is_control_flow(node.op_name())
}
