//! Copies as nodes: one for each value and memory that it is wanted in, shared by those who read it there.

use std::collections::HashMap;
use std::sync::Arc;

use oplink_api::{AttrValue, Cancellation, DType, NodeInfo, Output, Result, ResultExt};

use super::kernel::copy_kernel;
use super::memory::{Memories, Memory, may_move};
use super::{MultiDevicePlacer, is_fed};
use crate::Graph;
use crate::graph::{Node, NodeMap, Provenance};
use crate::graph::{constant_of, forwarded_input, is_reference};
use crate::kernels::{Copied, Results};
use crate::known_ops::KnownOp;
use crate::signature::Signature;
use crate::transfer::transfer_to_device;

/// The graph with copies wherever a value is read in another memory than it is in; `None` where there are none.
///
/// # Errors
/// A constant cannot be copied to a device.
pub(super) fn insert(
    placer: &MultiDevicePlacer,
    graph: &Graph,
    signature: &Signature,
    needed: &[u32],
    chosen: &NodeMap<usize>,
    results: Results<'_>,
    cancellation: &Cancellation,
) -> Result<Option<Copied>> {
    let memories = Memories::of(placer, graph, signature, needed, chosen);
    let (made, kernels, nodes) = (HashMap::new(), NodeMap::default(), graph.nodes().len());
    let same_values = HashMap::new();
    let mut copies =
        Copies { placer, graph, signature, memories, made, same_values, added: Vec::new(), nodes, kernels };
    let mut moved = Vec::new();
    for &node in needed {
        cancellation.check()?;
        for (index, &input) in graph.nodes()[node as usize].inputs().iter().enumerate() {
            let Some(wanted) = copies.memories.wanted(node, index) else { continue };
            let brought = copies.transfer(input, wanted, Some(node))?;
            if brought != input {
                moved.push((node, index, brought));
            }
        }
    }
    let fetches: Vec<Output> =
        signature.fetches.iter().map(|&fetch| copies.fetch(fetch, results)).collect::<Result<_>>()?;
    if copies.added.is_empty() {
        return Ok(None);
    }
    let Copies { added, kernels, .. } = copies;
    let mut graph = graph.copy_nodes();
    graph.nodes.extend(added);
    for (node, index, brought) in moved {
        graph.nodes[node as usize].inputs[index] = brought;
    }
    Ok(Some(Copied { graph, fetches, kernels }))
}

struct Copies<'a> {
    placer: &'a MultiDevicePlacer,
    graph: &'a Graph,
    signature: &'a Signature,
    memories: Memories<'a>,
    /// By value, memory, and, where it matters when the value is read, who reads it.
    made: HashMap<(Output, Memory, Option<u32>), Output>,
    /// By value that is forwarded: what it forwards.
    same_values: HashMap<Output, Output>,
    added: Vec<Node>,
    /// Nodes before those added.
    nodes: usize,
    kernels: NodeMap<Arc<oplink_core::PreparedKernel>>,
}

impl Copies<'_> {
    /// The value as it is found in `wanted`. What a reference refers to is read when `reader` runs, by a copy of its
    /// own.
    fn transfer(&mut self, output: Output, wanted: Memory, reader: Option<u32>) -> Result<Output> {
        let has = self.memories.of_output(output);
        if has == wanted || wanted == Memory::Any {
            return Ok(output);
        }
        let output = self.same_value(output);
        let reference = !is_fed(self.signature, output) && is_reference(self.graph, output);
        let key = (output, wanted, reader.filter(|_| reference));
        if let Some(&copy) = self.made.get(&key) {
            return Ok(copy);
        }
        let copy = match (has, wanted, self.constant(output)) {
            (_, Memory::Device(device), Some(constant)) => self.constant_on(constant, device)?,
            (Memory::Device(_), Memory::Device(device), _) => {
                let on_host = self.transfer(output, Memory::Host, reader)?;
                self.copy(on_host, wanted, device, key.2)?
            }
            (_, Memory::Device(device), _) => self.copy(output, wanted, device, key.2)?,
            _ => self.copy(output, Memory::Host, self.placer.host, key.2)?,
        };
        self.made.insert(key, copy);
        Ok(copy)
    }

    /// A fetched value goes to the host, and stays where it is as the result of a function, unless conditions and
    /// numbers of branches may be made of it.
    fn fetch(&mut self, fetch: Output, results: Results<'_>) -> Result<Output> {
        let dtype = self.dtype(fetch);
        let stays = matches!(results, Results::OfFunction(_)) && !is_decision(dtype);
        let as_it_is = is_fed(self.signature, fetch) && matches!(results, Results::ToHost);
        if stays || as_it_is || !may_move(dtype) || !is_fed(self.signature, fetch) && is_reference(self.graph, fetch) {
            return Ok(fetch);
        }
        self.transfer(fetch, Memory::Host, None)
    }

    fn dtype(&self, output: Output) -> DType {
        self.graph.dtype(output).unwrap_or(DType::Invalid)
    }

    /// What the output forwards, through nodes that wait for nothing else.
    fn same_value(&mut self, output: Output) -> Output {
        let (mut output, mut passed) = (output, Vec::new());
        while !is_fed(self.signature, output) && output.node < self.nodes as u32 {
            if let Some(&known) = self.same_values.get(&output) {
                output = known;
                break;
            }
            let node = &self.graph.nodes()[output.node as usize];
            match forwarded_input(self.graph, node, &self.signature.feeds) {
                Some(input) if node.control_inputs().is_empty() => {
                    passed.push(output);
                    output = input;
                }
                _ => break,
            }
        }
        self.same_values.extend(passed.into_iter().map(|passed| (passed, output)));
        output
    }

    /// The node of an output, where it is a constant.
    fn constant(&self, output: Output) -> Option<u32> {
        let node = self.graph.nodes().get(output.node as usize)?;
        (!is_fed(self.signature, output) && constant_of(node).is_some()).then_some(output.node)
    }

    /// The constant in a device's memory, where it stays.
    fn constant_on(&mut self, constant: u32, device: usize) -> Result<Output> {
        let node = &self.graph.nodes()[constant as usize];
        let (value, target) = (constant_of(node), self.placer.context(device));
        let (Some(value), Some(target)) = (value, target) else { return Ok(Output { node: constant, index: 0 }) };
        let copied = transfer_to_device(value.clone(), target, &self.placer.contexts());
        let copied =
            copied.context_with(|| format!("copying the constant `{}` to {}", node.name(), target.device()))?;
        let mut info = NodeInfo::clone(node.info());
        info.attrs.set("value", AttrValue::Tensor(copied));
        info.name = self.name(Output { node: constant, index: 0 }, device);
        Ok(self.add(Node { info: Arc::new(info), ..node.clone() }))
    }

    /// Adds a copy, into the memory of a device where `wanted` is one's. `reader` is the node that it runs right
    /// before.
    fn copy(&mut self, source: Output, wanted: Memory, device: usize, reader: Option<u32>) -> Result<Output> {
        let (name, dtype) = (self.name(source, device), self.source_dtype(source));
        let target = if wanted == Memory::Host { None } else { self.placer.context(device).cloned() };
        let full_name = self.placer.devices[device].name();
        let kernel = copy_kernel(name, full_name, dtype, target, self.placer.contexts())?;
        let node = Node {
            info: kernel.node().clone(),
            known: KnownOp::Other,
            inputs: vec![source],
            control_inputs: reader.map_or_else(Vec::new, |reader| self.waits_for(reader)),
            output_shapes: vec![self.graph.shape(source)],
            handle_shapes: Vec::new(),
            provenance: Provenance::default(),
            origin: None,
        };
        let output = self.add(node);
        self.kernels.insert(output.node, Arc::new(kernel));
        Ok(output)
    }

    fn waits_for(&self, reader: u32) -> Vec<u32> {
        self.graph.nodes()[reader as usize].control_inputs().to_vec()
    }

    fn source_dtype(&self, source: Output) -> DType {
        match self.added.get((source.node as usize).wrapping_sub(self.nodes)) {
            Some(added) => added.info().output_dtypes[0],
            None => self.dtype(source),
        }
    }

    fn name(&self, source: Output, device: usize) -> String {
        let device = self.placer.devices[device].name();
        let device = device.rsplit('/').next().unwrap_or(device).trim_start_matches("device:");
        let source = match self.added.get((source.node as usize).wrapping_sub(self.nodes)) {
            Some(added) => added.name().to_owned(),
            None => self.graph.output_name(source),
        };
        format!("{source}/to_{}", device.replace(':', "_"))
    }

    fn add(&mut self, node: Node) -> Output {
        self.added.push(node);
        Output { node: (self.nodes + self.added.len()) as u32 - 1, index: 0 }
    }
}

/// Whether ops that call functions decide by values of the dtype: they read results of it on the host.
fn is_decision(dtype: DType) -> bool {
    matches!(dtype, DType::Bool | DType::Int32 | DType::Int64)
}
