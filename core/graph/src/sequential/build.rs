//! From a signature to an executor: slots, kernels, liveness.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use oplink_api::{Cancellation, Error, Output, Result, Tensor};
use oplink_core::IntraOpPool;

use super::{PlannedNode, SequentialExecutor, Source, liveness};
use crate::Graph;
use crate::graph::{Feeds, Node, constant_of, forwarded_input};
use crate::kernels::{Envs, Feed, Kernels, Promise};
use crate::signature::Signature;

impl SequentialExecutor {
    /// Prepares runs of the needed nodes, which are in an order to run them in.
    pub(crate) fn build(
        graph: &Graph,
        signature: &Signature,
        needed: &[u32],
        kernels: &Kernels,
        envs: Envs,
        pool: Option<Arc<IntraOpPool>>,
        cancellation: &Cancellation,
    ) -> Result<Self> {
        cancellation.check()?;
        let mut slots = Slots::default();
        let constants = slots.constants(graph, needed, &signature.feeds);
        let feeds = signature.feeds.iter().map(|&feed| slots.feed(graph, feed)).collect();
        let nodes = slots.nodes(graph, needed, &signature.feeds);
        let read = |node: &u32| graph.nodes()[*node as usize].inputs();
        let mut inputs: Vec<Source> =
            nodes.iter().flat_map(read).map(|input| slots.source(*input)).collect::<Result<_>>()?;
        let mut fetches = signature.fetches.iter().map(|fetch| slots.source(*fetch)).collect::<Result<Vec<_>>>()?;
        liveness::mark_last_reads(&mut inputs, &mut fetches, slots.count, constants.len());
        let read = liveness::reads(&inputs, &fetches, slots.count);
        let of_graph = || nodes.iter().map(|&node| &graph.nodes()[node as usize]);
        let promises = of_graph().flat_map(|node| Promise::of_node(graph, node)).collect();
        let rewritten = of_graph().enumerate().filter(|(_, node)| !node.provenance.is_empty());
        let provenance = rewritten.map(|(at, node)| (at, node.provenance.clone())).collect();
        cancellation.check()?;
        let (nodes, unread) = lay_out(graph, &nodes, kernels, &envs, &slots, &inputs, &read)?;
        cancellation.check()?;
        Ok(Self {
            nodes,
            inputs,
            unread,
            promises,
            provenance,
            constants,
            feeds,
            fetches,
            num_slots: slots.count,
            envs,
            pool,
            spreads: AtomicBool::new(false),
            idle: Mutex::default(),
        })
    }
}

/// Where each output is found.
#[derive(Default)]
struct Slots {
    of: HashMap<Output, Source>,
    first_outputs: Vec<u32>,
    count: usize,
}

impl Slots {
    fn new_slot(&mut self) -> Source {
        self.count += 1;
        Source(self.count as u32 - 1)
    }

    fn constants(&mut self, graph: &Graph, needed: &[u32], feeds: &Feeds) -> Vec<Tensor> {
        let mut constants = Vec::new();
        for &node in needed {
            let output = Output { node, index: 0 };
            if let (Some(value), false) = (constant_of(&graph.nodes()[node as usize]), feeds.contains(&output)) {
                let slot = self.new_slot();
                self.of.insert(output, slot);
                constants.push(value.clone());
            }
        }
        constants
    }

    fn feed(&mut self, graph: &Graph, output: Output) -> Feed {
        let slot = self.new_slot();
        self.of.insert(output, slot);
        Feed::new(graph, output, slot.slot() as u32)
    }

    /// Gives outputs their slots; returns the nodes that compute something. A node that forwards its input shares the
    /// input's slot.
    fn nodes(&mut self, graph: &Graph, needed: &[u32], feeds: &Feeds) -> Vec<u32> {
        let mut nodes = Vec::new();
        for &position in needed {
            let node = &graph.nodes()[position as usize];
            let first = Output { node: position, index: 0 };
            if constant_of(node).is_some() {
                continue;
            }
            if let Some(input) = forwarded_input(graph, node, feeds) {
                if let (Some(&slot), false) = (self.of.get(&input), feeds.contains(&first)) {
                    self.of.insert(first, slot);
                }
                continue;
            }
            self.outputs(position, node);
            nodes.push(position);
        }
        nodes
    }

    fn outputs(&mut self, position: u32, node: &Node) {
        self.first_outputs.push(self.count as u32);
        for index in 0..node.num_outputs() {
            let slot = self.new_slot();
            let source = if node.info().is_ref_output(index) { slot.as_reference() } else { slot };
            self.of.entry(Output { node: position, index: index as u32 }).or_insert(source);
        }
    }

    fn source(&self, output: Output) -> Result<Source> {
        let source = self.of.get(&output);
        source.copied().ok_or_else(|| Error::internal(format!("no slot for {output:?}")))
    }
}

/// The nodes, and for each the slots that nobody reads.
fn lay_out(
    graph: &Graph,
    positions: &[u32],
    kernels: &Kernels,
    envs: &Envs,
    slots: &Slots,
    inputs: &[Source],
    read: &[bool],
) -> Result<(Vec<PlannedNode>, Vec<u32>)> {
    let (mut unread, mut nodes) = (Vec::new(), Vec::with_capacity(positions.len()));
    let mut inputs = inputs;
    for (&position, &first_output) in positions.iter().zip(&slots.first_outputs) {
        let kernel = kernels.of(position)?.clone();
        let node = &graph.nodes()[position as usize];
        let (sources, rest) = inputs.split_at(node.inputs().len());
        inputs = rest;
        let mut of_input = sources.iter().enumerate();
        let reads_references =
            of_input.any(|(index, source)| source.is_reference() && !node.info().is_ref_input(index));
        let before = unread.len();
        let num_outputs = node.num_outputs() as u32;
        unread.extend((first_output..first_output + num_outputs).filter(|&slot| !read[slot as usize]));
        let num_unread = (unread.len() - before) as u32;
        let num_inputs = node.inputs().len() as u32;
        let env = envs.position(&kernel.node().device);
        nodes.push(PlannedNode { kernel, env, reads_references, num_inputs, num_unread, first_output, num_outputs });
    }
    Ok((nodes, unread))
}
