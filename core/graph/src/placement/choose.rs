//! The device of each group: the first of those asked for that has kernels for all of its nodes.

use std::collections::BTreeMap;

use oplink_api::{Cancellation, Code, Error, ErrorKind, NodeInfo, Result};
use oplink_core::{ANY_OP, DeviceName, Registry, kernel_label};

use super::MultiDevicePlacer;
use super::groups::{Groups, of_node};
use crate::Graph;
use crate::functions::calls_function;
use crate::graph::{Node, NodeMap, NodeSet};
use crate::graph::{constant_of, forwarded_input};
use crate::kernels::aggregate_errors;
use crate::signature::Signature;

/// Devices that an error says the reason of.
const MAX_EXPLAINED: usize = 4;

impl MultiDevicePlacer {
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
        cancellation: &Cancellation,
    ) -> Result<NodeMap<usize>> {
        let members = members(graph, needed, groups);
        let (mut chosen, mut failed) = (NodeMap::default(), Vec::new());
        for (root, Members { needed: nodes, others }) in members {
            cancellation.check()?;
            match self.of_group(graph, signature, &nodes, &others, &groups.wanted(root)) {
                Ok(device) => nodes.iter().for_each(|&node| {
                    let device = if is_bound_to_host(graph, node) { self.host } else { device };
                    chosen.insert(node, device);
                }),
                Err(error) => failed.push(error),
            }
        }
        aggregate_errors(failed)?;
        Ok(chosen)
    }

    fn of_group(
        &self,
        graph: &Graph,
        signature: &Signature,
        nodes: &[u32],
        others: &[u32],
        wanted: &DeviceName,
    ) -> Result<usize> {
        let computes = |node: &u32| {
            let of_graph = &graph.nodes()[*node as usize];
            needs_kernel(graph, signature, of_graph) && !is_bound_to_host(graph, *node)
        };
        let computing: Vec<u32> = nodes.iter().copied().filter(computes).collect();
        let idle: Vec<u32> = others.iter().copied().filter(computes).collect();
        let asked = |wanted: &DeviceName| -> Vec<usize> {
            (0..self.devices.len()).filter(|&device| wanted.matches(&self.names[device])).collect()
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
        let first = |wanted: &DeviceName| {
            let all = |nodes: &[u32], device: usize| {
                nodes.iter().all(|&node| self.serves(graph, node, device, wanted.device_type.is_some()))
            };
            let able: Vec<usize> = asked(wanted).into_iter().filter(|&device| all(&computing, device)).collect();
            able.iter().copied().find(|&device| all(&idle, device)).or_else(|| able.first().copied())
        };
        if let Some(device) = first(&wanted).or_else(|| self.soft.then(|| first(&wanted.softened()))?) {
            return Ok(device);
        }
        if wanted.device_type.is_none() && computing.len() == 1 {
            // The node's preparation says why no kernel fits.
            return Ok(named.into_iter().find(|&device| device == self.host).unwrap_or(self.host));
        }
        Err(self.unserved(graph, &computing, &named))
    }

    /// Whether a device has a kernel for a node. A kernel that serves any op counts where the type is asked for, or
    /// where there is no other device.
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
        let able =
            (0..self.devices.len()).filter(|&device| nodes.iter().all(|&n| self.serves(graph, n, device, false)));
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

/// The nodes of a group that a run needs, and the others, which other runs of the session may need.
#[derive(Default)]
struct Members {
    needed: Vec<u32>,
    others: Vec<u32>,
}

/// The members of the groups that have needed nodes, by root.
fn members(graph: &Graph, needed: &[u32], groups: &Groups) -> BTreeMap<u32, Members> {
    let mut members: BTreeMap<u32, Members> = BTreeMap::new();
    for &node in needed {
        members.entry(groups.root(node)).or_default().needed.push(node);
    }
    let needed: NodeSet = needed.iter().copied().collect();
    for node in (0..graph.nodes().len() as u32).filter(|node| !needed.contains(*node)) {
        if let Some(group) = members.get_mut(&groups.root(node)) {
            group.others.push(node);
        }
    }
    members
}

/// The op that the kernel of a node for a device type is declared for.
fn find(registry: &Registry, info: &NodeInfo, device_type: &str) -> Option<&'static str> {
    let kernel = registry.get_kernel(&info.op.name, device_type, kernel_label(info), info)?;
    Some(kernel.descriptor.op)
}

/// Whether the node runs on the host wherever it is asked for: one that calls a function, whose nodes are placed each
/// by itself, and one that only waits.
fn is_bound_to_host(graph: &Graph, node: u32) -> bool {
    let node = &graph.nodes()[node as usize];
    let waits = node.inputs().is_empty() && node.num_outputs() == 0;
    waits || calls_function(graph, node.info())
}

fn needs_kernel(graph: &Graph, signature: &Signature, node: &Node) -> bool {
    constant_of(node).is_none()
        && forwarded_input(graph, node, &signature.feeds).is_none()
        && !node.known().is_control_flow()
}
