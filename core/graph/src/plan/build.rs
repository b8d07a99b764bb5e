//! From a signature to a plan: slots, kernels, liveness.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use oplink_api::{AttrValue, Error, KernelEnv, NodeInfo, Output, Result, Tensor};
use oplink_core::{IntraOpPool, PreparedKernel};

use super::{Feed, Placement, Plan, PlannedNode, SPREAD_ELEMENTS, Signature, Source, liveness, prune};
use crate::Graph;
use crate::functions::as_call;
use crate::graph::Node;
use crate::known_ops::{CONST, is_identity};

/// Nodes without a kernel that an error describes.
const MAX_DESCRIBED: usize = 20;

impl Plan {
    /// Works out the plan.
    ///
    /// # Errors
    /// Placeholders that are not fed; nodes that have no kernel or whose kernel cannot be constructed, all in one error.
    pub(crate) fn build(
        graph: &Graph,
        signature: &Signature,
        placement: Placement<'_>,
        env: Arc<dyn KernelEnv>,
        pool: Option<Arc<IntraOpPool>>,
    ) -> Result<Self> {
        let needed = prune::needed_nodes(graph, signature)?;
        let mut slots = Slots::default();
        let constants = slots.constants(graph, &needed, &signature.feeds);
        let feeds = signature.feeds.iter().map(|&feed| slots.feed(graph, feed)).collect();
        let nodes = slots.steps(graph, &needed, &signature.feeds);
        let kernels = prepare(graph, &nodes, placement)?;
        let mut inputs: Vec<Source> =
            nodes.iter().flat_map(|node| node.inputs()).map(|input| slots.source(*input)).collect::<Result<_>>()?;
        let mut fetches = signature.fetches.iter().map(|fetch| slots.source(*fetch)).collect::<Result<Vec<_>>>()?;
        liveness::mark_last_reads(&mut inputs, &mut fetches, slots.count, constants.len());
        let read = liveness::reads(&inputs, &fetches, slots.count);
        let (nodes, unread) = lay_out(kernels, &slots, &nodes, &read);
        let spreads = slots.spreads;
        Ok(Self {
            nodes,
            inputs,
            unread,
            constants,
            feeds,
            fetches,
            num_slots: slots.count,
            env,
            pool: pool.filter(|_| spreads),
            idle: Mutex::default(),
        })
    }
}

/// Where each output is found.
#[derive(Default)]
struct Slots {
    of: HashMap<Output, u32>,
    first_outputs: Vec<u32>,
    count: usize,
    /// Whether a value is, or may be, large enough to be worked on by several threads.
    spreads: bool,
}

impl Slots {
    fn new_slot(&mut self, graph: &Graph, output: Output) -> u32 {
        let slot = self.count as u32;
        self.count += 1;
        self.spreads |= graph.shape(output).num_elements().is_none_or(|n| n >= SPREAD_ELEMENTS);
        slot
    }

    fn constants(&mut self, graph: &Graph, needed: &[u32], feeds: &[Output]) -> Vec<Tensor> {
        let mut constants = Vec::new();
        for &node in needed {
            let output = Output { node, index: 0 };
            if let (Some(value), false) = (constant_of(&graph.nodes()[node as usize]), feeds.contains(&output)) {
                let slot = self.new_slot(graph, output);
                self.of.insert(output, slot);
                constants.push(value.clone());
            }
        }
        constants
    }

    fn feed(&mut self, graph: &Graph, output: Output) -> Feed {
        let slot = self.new_slot(graph, output);
        self.of.insert(output, slot);
        Feed {
            slot,
            name: graph.output_name(output),
            dtype: graph.dtype(output).unwrap_or(oplink_api::DType::Invalid),
            shape: graph.shape(output),
        }
    }

    /// Gives outputs their slots; returns the nodes that compute something. A node that hands its input on shares the
    /// input's slot.
    fn steps<'g>(&mut self, graph: &'g Graph, needed: &[u32], feeds: &[Output]) -> Vec<&'g Node> {
        let mut nodes = Vec::new();
        for &position in needed {
            let node = &graph.nodes()[position as usize];
            let first = Output { node: position, index: 0 };
            if constant_of(node).is_some() {
                continue;
            }
            if let ([input], true) = (node.inputs(), is_identity(node.op_name())) {
                if let (Some(&slot), false) = (self.of.get(input), feeds.contains(&first)) {
                    self.of.insert(first, slot);
                }
                continue;
            }
            self.first_outputs.push(self.count as u32);
            for index in 0..node.num_outputs() as u32 {
                let output = Output { node: position, index };
                let slot = self.new_slot(graph, output);
                self.of.entry(output).or_insert(slot);
            }
            nodes.push(node);
        }
        nodes
    }

    fn source(&self, output: Output) -> Result<Source> {
        let slot = self.of.get(&output);
        slot.map(|slot| Source(*slot)).ok_or_else(|| Error::internal(format!("no slot for {output:?}")))
    }
}

fn constant_of(node: &Node) -> Option<&Tensor> {
    match node.info().attrs.get("value") {
        Some(AttrValue::Tensor(value)) if node.op_name() == CONST => Some(value),
        _ => None,
    }
}

fn prepare(graph: &Graph, nodes: &[&Node], placement: Placement<'_>) -> Result<Vec<PreparedKernel>> {
    let mut kernels = Vec::with_capacity(nodes.len());
    let mut failed = Vec::new();
    for node in nodes {
        match prepare_node(graph, node, placement) {
            Ok(kernel) => kernels.push(kernel),
            Err(error) => failed.push(error),
        }
    }
    match failed.len() {
        0 => Ok(kernels),
        1 => Err(failed.swap_remove(0)),
        count => Err(several(&failed, count)),
    }
}

fn prepare_node(graph: &Graph, node: &Node, placement: Placement<'_>) -> Result<PreparedKernel> {
    placement.check(node.info())?;
    let called = as_call(graph, node.info())?;
    let info = called.unwrap_or_else(|| NodeInfo::clone(node.info()));
    let info = NodeInfo { device: placement.device.to_owned(), ..info };
    PreparedKernel::new(graph.registry(), Arc::new(info), placement.device_type)
}

#[cold]
fn several(failed: &[Error], count: usize) -> Error {
    let mut message = format!("{count} nodes of the graph cannot run:");
    for error in failed.iter().take(MAX_DESCRIBED) {
        message = format!("{message}\n- {error}");
    }
    if count > MAX_DESCRIBED {
        message = format!("{message}\n- and {} more", count - MAX_DESCRIBED);
    }
    Error::new(failed[0].code(), failed[0].kind(), message)
}

/// The nodes, and for each the slots that nobody reads.
fn lay_out(
    kernels: Vec<PreparedKernel>,
    slots: &Slots,
    nodes: &[&Node],
    read: &[bool],
) -> (Vec<PlannedNode>, Vec<u32>) {
    let mut unread = Vec::new();
    let planned = kernels.into_iter().zip(nodes).zip(&slots.first_outputs).map(|((kernel, node), &first_output)| {
        let before = unread.len();
        let num_outputs = node.num_outputs() as u32;
        unread.extend((first_output..first_output + num_outputs).filter(|&slot| !read[slot as usize]));
        let num_unread = (unread.len() - before) as u32;
        PlannedNode { kernel, num_inputs: node.inputs().len() as u32, num_unread, first_output, num_outputs }
    });
    let planned = planned.collect();
    (planned, unread)
}
