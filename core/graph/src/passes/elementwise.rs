//! `elementwise_fusion`: chains of elementwise ops on large floats become one op that works tile by tile.
//!
//! Values stay what they are: each element goes through the same operations.

use std::fmt::Write;
use std::sync::Arc;

use oplink_api::{Arg, AttrValue, DType, Output, PartialShape, Result};
use oplink_core::PreparedKernel;
use oplink_spec::sorting::sort_by_key;

use super::rewrite::{Readers, Replacements};
use super::{Pass, Rewrite};
use crate::graph::{NewNode, NodeMap};

pub(super) const PASS: Pass = Pass {
    name: "elementwise_fusion",
    description: "makes chains of elementwise ops on large values one op that works tile by tile",
    run,
};

/// Kernels of this device type decide which fusions there are.
const DEVICE_TYPE: &str = "CPU";
const FUSED: &str = "_FusedElementwise";

/// Values with fewer elements, unknown extents aside, are not worth it.
const MIN_ELEMENTS: usize = 1 << 12;
/// Ops in one chain at most.
const MAX_STEPS: usize = 48;

/// Ops that may be part of a chain.
const OPS: &[&str] = &[
    "Abs",
    "Add",
    "AddV2",
    "Ceil",
    "Cos",
    "Div",
    "DivNoNan",
    "Elu",
    "EluGrad",
    "Erf",
    "Erfc",
    "Exp",
    "Expm1",
    "Floor",
    "Inv",
    "LeakyRelu",
    "Log",
    "Log1p",
    "Maximum",
    "Minimum",
    "Mul",
    "Neg",
    "RealDiv",
    "Reciprocal",
    "Relu",
    "Relu6",
    "Relu6Grad",
    "ReluGrad",
    "Rint",
    "Round",
    "Rsqrt",
    "RsqrtGrad",
    "Selu",
    "Sigmoid",
    "SigmoidGrad",
    "Sign",
    "Sin",
    "Softplus",
    "Softsign",
    "SoftsignGrad",
    "Sqrt",
    "SqrtGrad",
    "Square",
    "SquaredDifference",
    "Sub",
    "Tanh",
    "TanhGrad",
];

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
        if taken[root as usize] || !may_fuse(rewrite, root) {
            continue;
        }
        let mut chain = grow(rewrite, &readers, root);
        sort_by_key(&mut chain, |&node| order.get(node));
        if chain.len() < 2 || chain.last() != Some(&root) {
            continue;
        }
        if let Some(output) = build(rewrite, &chain)? {
            chain.iter().for_each(|&node| taken[node as usize] = true);
            replacements.set(Output { node: root, index: 0 }, output);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

fn may_fuse(rewrite: &Rewrite, position: u32) -> bool {
    let node = rewrite.node(position);
    let is_float = matches!(node.info().output_dtypes[..], [DType::Float | DType::Double]);
    is_float
        && OPS.contains(&node.op_name())
        && node.control_inputs().is_empty()
        && !rewrite.is_fed(position)
        && node.output_shapes().first().is_some_and(is_large)
}

fn is_large(shape: &PartialShape) -> bool {
    let known = |dims: &[Option<usize>]| dims.iter().flatten().product::<usize>();
    shape.dims().is_some_and(|dims| known(dims) >= MIN_ELEMENTS)
}

/// The nodes of the same shape that only the chain reads, from its last node back.
fn grow(rewrite: &Rewrite, readers: &Readers, root: u32) -> Chain {
    let mut chain = vec![root];
    let shape = rewrite.node(root).output_shapes().first();
    let dtype = rewrite.node(root).info().output_dtypes.first();
    loop {
        let inside = |node: &u32| chain.contains(node);
        let inputs = chain.iter().flat_map(|&node| rewrite.node(node).inputs()).map(|input| input.node);
        let next = inputs.filter(|input| !inside(input)).find(|&input| {
            let node = rewrite.node(input);
            may_fuse(rewrite, input)
                && node.output_shapes().first() == shape
                && node.info().output_dtypes.first() == dtype
                && readers.is_read_only_by(rewrite, input, &chain)
        });
        match next {
            Some(node) if chain.len() < MAX_STEPS => chain.push(node),
            _ => return chain,
        }
    }
}

/// The output of the fused op; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, chain: &[u32]) -> Result<Option<Output>> {
    let mut inputs: Vec<Output> = Vec::new();
    let mut program = Vec::new();
    for &position in chain {
        let node = rewrite.node(position);
        let mut line = node.op_name().to_owned();
        for &input in node.inputs() {
            let step = chain.iter().position(|&step| step == input.node);
            let operand = match (step, inputs.iter().position(|&known| known == input)) {
                (Some(step), _) => format!(" s{step}"),
                (None, Some(known)) => format!(" {known}"),
                (None, None) => {
                    inputs.push(input);
                    format!(" {}", inputs.len() - 1)
                }
            };
            line += &operand;
        }
        if node.op_name() == "LeakyRelu" {
            let _ = write!(line, " {}", node.info().attr::<f32>("alpha")?);
        }
        program.push(line.into_bytes());
    }
    let root = chain[chain.len() - 1];
    let (name, device) = (rewrite.node(root).name().to_owned(), rewrite.node(root).device().to_owned());
    let wanted = rewrite.node(root).output_shapes().to_vec();
    let new = NewNode {
        op: FUSED,
        name: &format!("{name}/chain"),
        device: &device,
        inputs: &[Arg::List(inputs)],
        control_inputs: &[],
        attrs: &[("program", AttrValue::Strings(program))],
    };
    let Ok(node) = rewrite.add(new) else { return Ok(None) };
    if rewrite.node(node).output_shapes() != wanted {
        return Ok(None);
    }
    let info = Arc::clone(rewrite.node(node).info());
    let kernel = PreparedKernel::new(rewrite.graph.registry(), info, DEVICE_TYPE);
    Ok(kernel.is_ok().then_some(Output { node, index: 0 }))
}
