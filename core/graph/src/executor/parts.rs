//! A plan in three parts: what runs before a device's work, that work, and what runs after it.
//!
//! The middle part is all nodes without state of one device with memory of its own. What they read of the first part,
//! and the last part of them, are values that one part fetches and another is fed.

use std::sync::Arc;

use oplink_api::device::{DeviceContext, HostMemory};
use oplink_api::{NodeInfo, Output, Result};
use oplink_core::{KernelRef, kernel_label};

use crate::Graph;
use crate::functions::names_function;
use crate::graph::{NodeMap, constant_of, forwarded_input};
use crate::kernels::{Assigned, PlanInputs};
use crate::known_ops::KnownOp;
use crate::signature::{Signature, needed_nodes};

/// Nodes of a device from which on its work is worth a part of its own.
const LEAST_NODES: usize = 8;
/// Values at most that the device's work reads of the part before.
const MOST_INPUTS: usize = 32;

/// The signatures of the parts.
pub(super) struct Parts {
    pub(super) context: Arc<dyn DeviceContext>,
    /// Fetches what the device's work reads, then what else the last part reads.
    pub(super) before: Signature,
    pub(super) work: Signature,
    /// Fed what the device's work fetches, then what else it reads.
    pub(super) after: Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Before,
    Work,
    After,
}

/// Divides the needed nodes of a placed graph; `None` where they cannot be, or where that is not worth it.
///
/// # Errors
/// None that the whole plan does not have.
pub(super) fn divide(inputs: &PlanInputs<'_>) -> Result<Option<Parts>> {
    let &PlanInputs { graph, signature, needed, assigned, .. } = inputs;
    let Assigned::Each { devices, copies: Some(copies) } = assigned else { return Ok(None) };
    if !signature.targets.is_empty() {
        return Ok(None);
    }
    let of_device = |node: u32| devices.get(node).filter(|device| !copies.contains(node) && device.context().is_some());
    let Some(device) = needed.iter().find_map(|&node| of_device(node)) else { return Ok(None) };
    let Some(context) = device.context().filter(|context| context.records_work()).cloned() else { return Ok(None) };
    let kind = |position: u32| {
        let info = graph.nodes()[position as usize].info();
        let is_plain = !info.op.flags.stateful && !names_function(graph, info);
        match of_device(position).filter(|of_node| is_plain && of_node.name() == device.name()) {
            None => Kind::Other,
            Some(device) if gives_host_values(graph, info, device.device_type()) => Kind::OnHost,
            Some(_) => Kind::Work,
        }
    };
    let Some(parts) = assign(graph, signature, needed, kind) else { return Ok(None) };
    let divided = Division { graph, signature, parts: &parts }.signatures();
    let [before, work, after] = [&divided.before, &divided.work, &divided.after].map(|part| needed_nodes(graph, part));
    // A node that waits for one of another part would run again in its own.
    let is_of = |part: Part| {
        let parts = &parts;
        move |node: &u32| parts.get(*node).is_none_or(|of_node| *of_node == part)
    };
    let (before, work, after) = (before?, work?, after?);
    let is_apart = before.iter().all(is_of(Part::Before))
        && work.iter().all(is_of(Part::Work))
        && after.iter().all(is_of(Part::After));
    let num_nodes = work.iter().filter(|node| parts.contains(**node)).count();
    let is_worth_it = num_nodes >= LEAST_NODES && divided.work.feeds.len() <= MOST_INPUTS;
    let covered = parts.values().count() == [&before, &work, &after].map(|nodes| count_in(&parts, nodes)).iter().sum();
    let Divided { before, work, after } = divided;
    Ok((is_apart && is_worth_it && covered).then_some(Parts { context, before, work, after }))
}

/// What a node is to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Work of its queue.
    Work,
    /// A kernel of the device that computes shapes and the like in host memory.
    OnHost,
    /// Something else's.
    Other,
}

/// Whether all outputs of the node's kernel are in host memory.
fn gives_host_values(graph: &Graph, info: &NodeInfo, device_type: &str) -> bool {
    let kernel = graph.registry().get_kernel(&info.op.name, device_type, kernel_label(info), info);
    let on_host = HostMemory::of(info, kernel.map_or(&[][..], |kernel: KernelRef| kernel.descriptor.host_memory));
    (0..info.output_dtypes.len()).all(|output| on_host.has_output(output))
}

fn count_in(parts: &NodeMap<Part>, nodes: &[u32]) -> usize {
    nodes.iter().filter(|node| parts.contains(**node)).count()
}

/// The part of each node that is no constant; `None` where work of the device waits for what comes after it.
fn assign(graph: &Graph, signature: &Signature, needed: &[u32], kind: impl Fn(u32) -> Kind) -> Option<NodeMap<Part>> {
    let mut parts = NodeMap::default();
    for &position in needed {
        let node = &graph.nodes()[position as usize];
        if constant_of(node).is_some() {
            continue;
        }
        if node.known().is_control_flow() {
            return None;
        }
        let data = node.inputs().iter().filter(|input| !signature.feeds.contains(input)).map(|input| input.node);
        let waits_for = data.chain(node.control_inputs().iter().copied());
        let from = waits_for.filter_map(|input| parts.get(input).copied()).max();
        let is_forwarded = forwarded_input(graph, node, &signature.feeds);
        let is_fed = |input: Output| signature.feeds.contains(&input);
        let part = match (from, kind(position)) {
            // What forwards constants or does nothing belongs to whoever reads it.
            (None, _) if is_forwarded.is_some_and(|input| !is_fed(input)) || node.known() == KnownOp::NoOp => continue,
            (from, _) if is_forwarded.is_some() => from.unwrap_or(Part::Before),
            (from, Kind::OnHost) => from.unwrap_or(Part::Before),
            (Some(Part::After), Kind::Work) => return None,
            (_, Kind::Work) => Part::Work,
            (None | Some(Part::Before), Kind::Other) => Part::Before,
            (Some(Part::Work | Part::After), Kind::Other) => Part::After,
        };
        parts.insert(position, part);
    }
    Some(parts)
}

struct Division<'a> {
    graph: &'a Graph,
    signature: &'a Signature,
    parts: &'a NodeMap<Part>,
}

struct Divided {
    before: Signature,
    work: Signature,
    after: Signature,
}

impl Division<'_> {
    fn signatures(&self) -> Divided {
        let inputs = self.crossing(Part::Work, |from| from == Part::Before);
        let mut results = self.crossing(Part::After, |from| from == Part::Work);
        let mut others = self.crossing(Part::After, |from| from == Part::Before);
        for &fetch in &self.signature.fetches {
            let list = if self.part_of(fetch) == Some(Part::Work) { &mut results } else { &mut others };
            let is_there = self.part_of(fetch) == Some(Part::After) || list.contains(&fetch);
            // Constants are fetched from the last part itself.
            if !is_there && self.part_of(fetch).is_some() {
                list.push(fetch);
            }
        }
        let of = |feeds: Vec<Output>, fetches: Vec<Output>| Signature {
            feeds: feeds.into_iter().collect(),
            fetches,
            targets: Vec::new(),
        };
        let all = |a: &[Output], b: &[Output]| [a, b].concat();
        Divided {
            before: Signature {
                feeds: self.signature.feeds.clone(),
                fetches: all(&inputs, &others),
                targets: Vec::new(),
            },
            work: of(inputs, results.clone()),
            after: of(all(&results, &others), self.signature.fetches.clone()),
        }
    }

    /// The part that computes an output; a value that is fed is of the first.
    fn part_of(&self, output: Output) -> Option<Part> {
        if self.signature.feeds.contains(&output) {
            return Some(Part::Before);
        }
        self.parts.get(output.node).copied()
    }

    /// The values that nodes of a part read of others, each once.
    fn crossing(&self, part: Part, from: impl Fn(Part) -> bool) -> Vec<Output> {
        let mut crossing = Vec::new();
        for (position, node) in (0..).zip(self.graph.nodes()) {
            if self.parts.get(position) != Some(&part) {
                continue;
            }
            for &input in node.inputs() {
                if self.part_of(input).is_some_and(&from) && !crossing.contains(&input) {
                    crossing.push(input);
                }
            }
        }
        crossing
    }
}
