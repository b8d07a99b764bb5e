//! `elementwise_fusion`: chains of elementwise ops on large values become one op that works tile by tile.
//!
//! An op is elementwise where its kernel on the node's device says so, whoever declares it. Values stay what they are: each
//! element goes through the same operations.

use std::sync::Arc;

use oplink_api::elementwise::InputShapes;
use oplink_api::{Arg, AttrValue, DType, FuncAttr, Output, PartialShape, Result};
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

/// Values with fewer elements, unknown extents aside, are not worth it.
const MIN_ELEMENTS: usize = 1 << 12;
/// Ops in one chain at most.
const MAX_STEPS: usize = 48;

/// The nodes of a chain, each behind those that it reads; the last is the one that others read.
type Chain = Vec<u32>;

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if rewrite.graph.registry().get_op(FUSED).is_none_or(|op| op.excluded) {
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
        if taken[root as usize] {
            continue;
        }
        let Some(device_type) = device_of_candidate(rewrite, root).map(str::to_owned) else { continue };
        let mut chain = grow(rewrite, &readers, root, &device_type);
        sort_by_key(&mut chain, |&node| order.get(node));
        if chain.len() < 2 || chain.last() != Some(&root) {
            continue;
        }
        if let Some(output) = build(rewrite, &chain, &device_type)? {
            chain.iter().for_each(|&node| taken[node as usize] = true);
            replacements.set(Output { node: root, index: 0 }, output);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// The type of the node's device, where a chain may have it as a step.
fn device_of_candidate(rewrite: &Rewrite, position: u32) -> Option<&str> {
    let node = rewrite.node(position);
    let is_free = node.control_inputs().is_empty() && !rewrite.is_fed(position);
    if !is_free || !node.output_shapes().first().is_some_and(is_large) {
        return None;
    }
    let (device_type, kernel) = kernel_of(rewrite, node)?;
    let formula = kernel.entry.elementwise?;
    // Between the steps of a chain 16-bit floats would not be rounded as between ops.
    let dtypes = node.info().input_dtypes.iter().chain(&node.info().output_dtypes);
    let is_exact = !dtypes.into_iter().any(|dtype| matches!(dtype, DType::Half | DType::BFloat16));
    let fits = formula.shapes != InputShapes::SameSize || has_one_shape(rewrite, position);
    (is_exact && fits).then_some(device_type)
}

/// Whether all inputs have the output's shape, one unknown extent aside: then as many elements are the same shape.
fn has_one_shape(rewrite: &Rewrite, position: u32) -> bool {
    let node = rewrite.node(position);
    let Some(shape) = node.output_shapes().first() else { return false };
    let is_known = shape.dims().is_some_and(|dims| dims.iter().filter(|dim| dim.is_none()).count() <= 1);
    is_known && node.inputs().iter().all(|&input| rewrite.graph.shape(input) == *shape)
}

fn is_large(shape: &PartialShape) -> bool {
    let known = |dims: &[Option<usize>]| dims.iter().flatten().product::<usize>();
    shape.dims().is_some_and(|dims| known(dims) >= MIN_ELEMENTS)
}

/// The nodes of the same shape and device that only the chain reads, from its last node back.
fn grow(rewrite: &Rewrite, readers: &Readers, root: u32, device_type: &str) -> Chain {
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
                && device_of_candidate(rewrite, input) == Some(device_type)
        });
        match next {
            Some(node) if chain.len() < MAX_STEPS => chain.push(node),
            _ => return chain,
        }
    }
}

/// The output of the fused op; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, chain: &[u32], device_type: &str) -> Result<Option<Output>> {
    let mut inputs: Vec<Output> = Vec::new();
    let (mut steps, mut operands) = (Vec::with_capacity(chain.len()), Vec::new());
    for &position in chain {
        let node = rewrite.node(position);
        for &input in node.inputs() {
            let step = chain.iter().position(|&step| step == input.node);
            operands.push(match (step, inputs.iter().position(|&known| known == input)) {
                (Some(step), _) => -1 - step as i64,
                (None, Some(known)) => known as i64,
                (None, None) => {
                    inputs.push(input);
                    inputs.len() as i64 - 1
                }
            });
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
    Ok(kernel.is_ok().then_some(Output { node, index: 0 }))
}
