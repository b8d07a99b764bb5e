//! `elementwise_fusion`: chains of elementwise ops on large values become one op that works tile by tile.
//!
//! An op is elementwise where its kernel on the node's device says so, whoever declares it. Values stay what they are:
//! each element goes through the same operations. On a GPU a chain is one program; a compiler there may join a product
//! and a sum of it to one operation with one rounding.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::elementwise::InputShapes;
use oplink_api::gpu::MAX_CHAIN_INPUTS;
use oplink_api::{AttrValue, DType, FuncAttr, Output, PartialShape, Result};
use oplink_core::PreparedKernel;
use oplink_spec::sorting::sort_by_key;

use super::devices::kernel_of;
use super::rewrite::{Readers, Replacements};
use super::{Pass, Rewrite};
use crate::build::NewNode;
use crate::graph::NodeMap;

pub(super) const PASS: Pass = Pass {
    name: "elementwise_fusion",
    description: "makes chains of elementwise ops on large values one op that works tile by tile",
    run,
};

/// The op that computes chains.
const FUSED: &str = "_FusedElementwise";

/// Values with fewer elements are not worth it.
const MIN_ELEMENTS: usize = 1 << 12;
/// What an extent is taken for that is not known.
const UNKNOWN_EXTENT: usize = 1 << 4;
/// Ops in one chain at most.
const MAX_STEPS: usize = 48;

/// The nodes of a chain, each behind those that it reads; the last is the one that others read.
type Chain = Vec<u32>;

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !rewrite.declares(FUSED) {
        return Ok(());
    }
    let readers = rewrite.readers()?;
    let needed = rewrite.needed()?;
    let mut order = NodeMap::default();
    for (at, &node) in needed.iter().enumerate() {
        order.insert(node, at);
    }
    let mut taken = vec![false; rewrite.graph.nodes.len()];
    let mut replacements = Replacements::default();
    for &root in needed.iter().rev() {
        rewrite.check_time()?;
        if taken[root as usize] {
            continue;
        }
        let Some(place) = place_of_candidate(rewrite, root) else { continue };
        let mut chain = grow(rewrite, &readers, root, &place);
        sort_by_key(&mut chain, |&node| order.get(node));
        if chain.len() < 2 || chain.last() != Some(&root) {
            continue;
        }
        let device_type = place.device_type.to_owned();
        if let Some(output) = build(rewrite, &chain, &device_type)? {
            chain.iter().for_each(|&node| taken[node as usize] = true);
            replacements.set(Output { node: root, index: 0 }, output);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// Where the steps of a chain run.
#[derive(PartialEq)]
struct ChainPlace<'a> {
    device_type: &'a str,
    /// Inputs that a chain may have there; `None` for any number.
    max_inputs: Option<usize>,
}

/// Where a node runs, if a chain may have it as a step.
fn place_of_candidate(rewrite: &Rewrite, position: u32) -> Option<ChainPlace<'_>> {
    let node = rewrite.node(position);
    let is_free = node.control_inputs().is_empty() && !rewrite.is_fed(position);
    if !is_free || !node.output_shapes().first().is_some_and(is_large) {
        return None;
    }
    let (device_type, kernel) = kernel_of(rewrite, node)?;
    let shapes = kernel.entry.input_shapes()?;
    // Between the steps of a chain in host memory 16-bit floats would not be rounded as between ops.
    let mut dtypes = node.info().input_dtypes.iter().chain(&node.info().output_dtypes);
    let is_on_host = kernel.entry.elementwise.is_some();
    let is_exact = !is_on_host || !dtypes.any(|dtype| matches!(dtype, DType::Half | DType::BFloat16));
    let fits = shapes != InputShapes::SameSize || has_one_shape(rewrite, position);
    let max_inputs = (!is_on_host).then_some(MAX_CHAIN_INPUTS);
    (is_exact && fits).then_some(ChainPlace { device_type, max_inputs })
}

/// Whether all inputs have the output's shape, one unknown extent aside: then as many elements are the same shape.
fn has_one_shape(rewrite: &Rewrite, position: u32) -> bool {
    let node = rewrite.node(position);
    let Some(shape) = node.output_shapes().first() else { return false };
    let is_known = shape.dims().is_some_and(|dims| dims.iter().filter(|dim| dim.is_none()).count() <= 1);
    is_known && node.inputs().iter().all(|&input| rewrite.graph.shape(input) == *shape)
}

fn is_large(shape: &PartialShape) -> bool {
    let extent = |dim: &Option<usize>| dim.unwrap_or(UNKNOWN_EXTENT);
    let count = |dims: &[Option<usize>]| dims.iter().map(extent).fold(1, usize::saturating_mul);
    shape.dims().is_some_and(|dims| count(dims) >= MIN_ELEMENTS)
}

/// The nodes of the same shape and device that only the chain reads, from its last node back.
fn grow(rewrite: &Rewrite, readers: &Readers, root: u32, place: &ChainPlace<'_>) -> Chain {
    let mut chain = vec![root];
    let (shape, device) = (rewrite.node(root).output_shapes().first(), rewrite.node(root).device());
    loop {
        let inside = |node: &u32| chain.contains(node);
        let inputs = chain.iter().flat_map(|&node| rewrite.node(node).inputs()).map(|input| input.node);
        let next = inputs.filter(|input| !inside(input)).find(|&input| {
            let node = rewrite.node(input);
            node.output_shapes().first() == shape
                && node.device() == device
                && readers.is_read_only_by(rewrite, input, &chain)
                && place_of_candidate(rewrite, input).as_ref() == Some(place)
                && place
                    .max_inputs
                    .is_none_or(|most| inputs_of(rewrite, &[&chain, &[input][..]].concat()).len() <= most)
        });
        match next {
            Some(node) if chain.len() < MAX_STEPS => chain.push(node),
            _ => return chain,
        }
    }
}

/// What a chain reads that is not of itself, each value once.
fn inputs_of(rewrite: &Rewrite, chain: &[u32]) -> Vec<Output> {
    let (mut inputs, mut seen) = (Vec::new(), HashSet::new());
    for &input in chain.iter().flat_map(|&position| rewrite.node(position).inputs()) {
        if !chain.contains(&input.node) && seen.insert(input) {
            inputs.push(input);
        }
    }
    inputs
}

/// The output of the fused op; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, chain: &[u32], device_type: &str) -> Result<Option<Output>> {
    let inputs = inputs_of(rewrite, chain);
    let numbers: HashMap<Output, usize> = inputs.iter().copied().zip(0..).collect();
    let (mut steps, mut operands) = (Vec::with_capacity(chain.len()), Vec::new());
    for &position in chain {
        let node = rewrite.node(position);
        for &input in node.inputs() {
            let step = chain.iter().position(|&step| step == input.node);
            let known = numbers.get(&input).copied().unwrap_or_default();
            operands.push(step.map_or(known as i64, |step| -1 - step as i64));
        }
        steps.push(FuncAttr { name: node.op_name().to_owned(), attrs: node.info().attrs.clone() });
    }
    let root = rewrite.node(chain[chain.len() - 1]);
    let (name, device) = (root.name().to_owned(), root.device().to_owned());
    let (wanted, result) = (root.output_shapes().to_vec(), root.info().output_dtypes[0]);
    let new = NewNode {
        op: FUSED,
        name: &format!("{name}/chain"),
        device: &device,
        inputs: &[Arg::List(inputs)],
        control_inputs: &[],
        attrs: &[
            ("steps", AttrValue::Funcs(steps)),
            ("operands", AttrValue::Ints(operands)),
            ("Tout", AttrValue::Type(result)),
        ],
    };
    let Ok(node) = rewrite.add(new) else { return Ok(None) };
    if rewrite.node(node).output_shapes() != wanted {
        return Ok(None);
    }
    let info = Arc::clone(rewrite.node(node).info());
    let kernel = PreparedKernel::new(rewrite.graph.registry(), info, device_type);
    rewrite.stands_for(node, chain);
    Ok(kernel.is_ok().then_some(Output { node, index: 0 }))
}
