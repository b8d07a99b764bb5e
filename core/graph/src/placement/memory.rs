//! In which memory each value is, and in which its readers want it.
//!
//! What a kernel reads and writes lies in the memory of its device, but for what its `host_memory` names and what is
//! never elsewhere. Nodes of the graph format that only hand values on (`Switch`, `Merge`, `Enter`, …) leave them where
//! most kernels that read or write them have them, so that the values of a loop stay in the memory of the device that
//! works on them.

use std::collections::{BTreeMap, HashMap};

use oplink_api::device::HostMemory;
use oplink_api::{DType, Output};
use oplink_core::{KernelRef, kernel_label};
use oplink_spec::ArgType;

use super::{MultiDevicePlacer, is_fed};
use crate::Graph;
use crate::functions::{calls_function, names_function};
use crate::graph::{Node, NodeMap};
use crate::graph::{constant_of, forwarded_input, is_reference};
use crate::known_ops::KnownOp;
use crate::signature::Signature;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Memory {
    /// In the host's memory.
    Host,
    /// In the memory of the device at a position.
    Device(usize),
    /// In the one or the other: only a run tells.
    Any,
}

/// The memories of a part of a graph.
pub(super) struct Memories<'a> {
    placer: &'a MultiDevicePlacer,
    graph: &'a Graph,
    signature: &'a Signature,
    chosen: &'a NodeMap<usize>,
    /// By node that forwards its input: what it forwards, through nodes that compute nothing.
    origins: NodeMap<Output>,
    /// By node that runs a kernel in a device's memory.
    on_host: HashMap<u32, HostMemory>,
    /// By node that hands values on: the one that stands for all that do so together.
    carrier: HashMap<u32, u32>,
    /// By that one.
    carried: HashMap<u32, Memory>,
}

impl<'a> Memories<'a> {
    pub(super) fn of(
        placer: &'a MultiDevicePlacer,
        graph: &'a Graph,
        signature: &'a Signature,
        needed: &[u32],
        chosen: &'a NodeMap<usize>,
    ) -> Self {
        let (on_host, carrier, carried) = (HashMap::new(), HashMap::new(), HashMap::new());
        let origins = NodeMap::default();
        let mut memories = Self { placer, graph, signature, chosen, origins, on_host, carrier, carried };
        for &node in needed {
            memories.find_origin(node);
            memories.find_host_memory(node);
        }
        memories.find_carriers(needed);
        memories.vote(needed);
        memories
    }

    fn node(&self, position: u32) -> &'a Node {
        &self.graph.nodes()[position as usize]
    }

    /// Finds what a node forwards, from what its input forwards, which comes before it.
    fn find_origin(&mut self, position: u32) {
        if let Some(input) = forwarded_input(self.graph, self.node(position), &self.signature.feeds) {
            self.origins.insert(position, self.origin(input));
        }
    }

    fn find_host_memory(&mut self, position: u32) {
        let Some(&device) = self.chosen.get(position) else { return };
        if self.placer.context(device).is_none() {
            return;
        }
        let info = self.node(position).info();
        let device_type = self.placer.devices[device].device_type();
        let kernel = self.graph.registry().get_kernel(&info.op.name, device_type, kernel_label(info), info);
        let names = kernel.map_or(&[][..], |kernel: KernelRef| kernel.descriptor.host_memory);
        self.on_host.insert(position, HostMemory::of(info, names));
    }

    /// Where a node wants an input; `None` where any memory will do.
    pub(super) fn wanted(&self, position: u32, index: usize) -> Option<Memory> {
        let node = self.node(position);
        let info = node.info();
        if !may_move(info.input_dtypes[index]) || info.is_ref_input(index) {
            return None;
        }
        if node.known().is_control_flow() {
            return self.wanted_by_control_flow(position, index);
        }
        if forwarded_input(self.graph, node, &self.signature.feeds).is_some() || reads_reference(self.graph, node) {
            return None;
        }
        if calls_function(self.graph, info) {
            return (!is_argument(self.graph, node, index)).then_some(Memory::Host);
        }
        Some(match (self.chosen.get(position), self.on_host.get(&position)) {
            (Some(&device), Some(on_host)) if !on_host.has_input(index) => Memory::Device(device),
            _ => Memory::Host,
        })
    }

    fn wanted_by_control_flow(&self, position: u32, index: usize) -> Option<Memory> {
        match self.carries(position, index) {
            true => self.carried_by(position).filter(|memory| *memory != Memory::Any),
            false => Some(Memory::Host),
        }
    }

    /// Whether a node of the graph format hands this input on, rather than reading it.
    fn carries(&self, position: u32, index: usize) -> bool {
        let node = self.node(position);
        (index == 0 || node.known().is_merge()) && !matches!(node.known(), KnownOp::LoopCond | KnownOp::RefSelect)
    }

    fn carried_by(&self, position: u32) -> Option<Memory> {
        self.carried.get(self.carrier.get(&position)?).copied()
    }

    /// Where an output is.
    pub(super) fn of_output(&self, output: Output) -> Memory {
        let node = self.node(output.node);
        let dtype = node.info().output_dtypes[output.index as usize];
        if !may_move(dtype) {
            return Memory::Host;
        }
        if is_fed(self.signature, output) {
            return Memory::Any;
        }
        if constant_of(node).is_some() {
            return Memory::Host;
        }
        if is_reference(self.graph, output) {
            return self.of_referent(output);
        }
        if reads_reference(self.graph, node) {
            return self.of_output(node.inputs()[0]);
        }
        let origin = self.origin(output);
        if origin != output {
            return self.of_output(origin);
        }
        if node.known().is_control_flow() {
            let value = output.index == 0 || !node.known().is_merge();
            return if value { self.carried_by(output.node).unwrap_or(Memory::Any) } else { Memory::Host };
        }
        if calls_function(self.graph, node.info()) {
            return Memory::Any;
        }
        match (self.chosen.get(output.node), self.on_host.get(&output.node)) {
            (Some(&device), Some(on_host)) if !on_host.has_output(output.index as usize) => Memory::Device(device),
            _ => Memory::Host,
        }
    }

    /// Where the value is that a reference refers to: on the host, where its variable is.
    fn of_referent(&self, reference: Output) -> Memory {
        let makes = !self.node(reference.node).known().is_control_flow();
        match self.chosen.get(reference.node) {
            Some(&device) if makes && self.placer.context(device).is_none() => Memory::Host,
            _ => Memory::Any,
        }
    }

    /// What an output forwards, through nodes that compute nothing.
    fn origin(&self, output: Output) -> Output {
        match self.origins.get(output.node) {
            Some(origin) if !is_fed(self.signature, output) => *origin,
            _ => output,
        }
    }

    /// The node of the graph format that an output comes from as a forwarded value.
    fn carrier_of(&self, output: Output) -> Option<u32> {
        let output = self.origin(output);
        let carries = !is_fed(self.signature, output) && self.carrier.contains_key(&output.node);
        let is_value = output.index == 0 || !self.node(output.node).known().is_merge();
        (carries && is_value).then_some(output.node)
    }

    /// Finds the nodes that hand on each other's values.
    fn find_carriers(&mut self, needed: &[u32]) {
        let plain = |node: &Node| node.info().output_dtypes.first().is_some_and(|dtype| may_move(*dtype));
        for &position in needed {
            let node = self.node(position);
            if node.known().is_control_flow() && plain(node) && self.carries(position, 0) {
                self.carrier.insert(position, position);
            }
        }
        for &position in needed {
            for (index, &input) in self.node(position).inputs().iter().enumerate() {
                if self.carrier.contains_key(&position)
                    && self.carries(position, index)
                    && let Some(source) = self.carrier_of(input)
                {
                    let (one, two) = (self.find_carrier(position), self.find_carrier(source));
                    self.carrier.insert(one.max(two), one.min(two));
                }
            }
        }
        let nodes: Vec<u32> = self.carrier.keys().copied().collect();
        for node in nodes {
            self.find_carrier(node);
        }
    }

    /// The node that stands for a carrier, which the carriers on the way there then lead to.
    fn find_carrier(&mut self, node: u32) -> u32 {
        let up = |carrier: &HashMap<u32, u32>, at: u32| carrier.get(&at).copied().filter(|&up| up != at);
        let mut root = node;
        while let Some(next) = up(&self.carrier, root) {
            root = next;
        }
        let mut at = node;
        while let Some(next) = up(&self.carrier, at) {
            self.carrier.insert(at, root);
            at = next;
        }
        root
    }

    /// Decides where forwarded values are, by where the kernels around have them.
    fn vote(&mut self, needed: &[u32]) {
        let mut votes: HashMap<u32, BTreeMap<Memory, usize>> = HashMap::new();
        let mut cast =
            |carrier: u32, memory: Memory| *votes.entry(carrier).or_default().entry(memory).or_default() += 1;
        for &position in needed {
            for (index, &input) in self.node(position).inputs().iter().enumerate() {
                let into = self.carrier.get(&position).copied().filter(|_| self.carries(position, index));
                match (into, self.carrier_of(input).and_then(|node| self.carrier.get(&node).copied())) {
                    (None, Some(from)) => {
                        if let Some(memory) = self.wanted(position, index) {
                            cast(from, memory);
                        }
                    }
                    (Some(into), None) if !self.is_free(input) => cast(into, self.of_output(input)),
                    _ => {}
                }
            }
        }
        for (carrier, of_carrier) in votes {
            let known = of_carrier.into_iter().filter(|(memory, _)| *memory != Memory::Any);
            let most = known.max_by_key(|(memory, count)| (*count, *memory != Memory::Host));
            self.carried.insert(carrier, most.map_or(Memory::Any, |(memory, _)| memory));
        }
    }

    /// Whether it does not matter where a value comes from: one that is fed, or a constant.
    fn is_free(&self, output: Output) -> bool {
        let origin = self.origin(output);
        is_fed(self.signature, origin) || constant_of(self.node(origin.node)).is_some()
    }
}

/// Whether tensors of the dtype may be in a device's memory.
pub(super) fn may_move(dtype: DType) -> bool {
    dtype.size().is_some()
}

/// Whether the node forwards what a reference refers to.
fn reads_reference(graph: &Graph, node: &Node) -> bool {
    node.known().is_identity() && node.inputs().iter().any(|input| is_reference(graph, *input))
}

/// Whether a node that calls functions passes an input on to them as it is.
fn is_argument(graph: &Graph, node: &Node, index: usize) -> bool {
    let info = node.info();
    if !names_function(graph, info) {
        // The op itself is the function.
        return true;
    }
    let arg = info.input_ranges.iter().position(|range| range.contains(&index));
    node.known().passes_arguments() && arg.is_some_and(|arg| matches!(info.op.inputs[arg].ty, ArgType::ListAttr(_)))
}
