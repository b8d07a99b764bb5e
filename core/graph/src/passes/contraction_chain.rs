//! What follows a contraction and can be done in its store: a factor and a summand for each channel, perhaps behind a
//! reshape that keeps the channels together, then a tensor of the product's shape, then an elementwise op. The tensor
//! may come before a bias, as in recurrent cells: the sum is the same but for its rounding.

use std::collections::HashMap;

use oplink_api::descriptors::OpFact;
use oplink_api::shape_inference::few_ints;
use oplink_api::{AttrValue, DType, Output};

use super::activations::composed;
use super::channels::{channels, trailing_values};
use super::rewrite::Readers;
use super::{HAS_FUSIONS, Rewrite};
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// Nodes between two values and the node that their batches come from, at most.
const MAX_BATCH_STEPS: usize = 16;

/// The names of contractions, each with that of the op that fuses it with what follows.
pub(super) type FusedOps = HashMap<&'static str, String>;

/// What follows a contraction.
#[derive(Clone, Default)]
pub(super) struct Chain {
    /// The nodes in order; the fused op gives the output of the last.
    pub(super) nodes: Vec<u32>,
    /// The `Reshape` that the fused op's output goes through.
    pub(super) reshape: Option<u32>,
    pub(super) channelwise: Channelwise,
    /// A tensor of the product's shape that is added behind that.
    pub(super) side: Option<Output>,
    /// The activation at the end: its name and its attrs, by the names that the fused op has for them.
    pub(super) activation: Option<(String, Vec<(String, AttrValue)>)>,
}

/// What each channel of a product is multiplied by, and what is added to it.
#[derive(Clone, Default)]
pub(super) enum Channelwise {
    #[default]
    Nothing,
    /// A vector that is added.
    Bias(Output),
    /// Constants; the factors are left out where there are none.
    Constants { scale: Option<Vec<f32>>, offset: Vec<f32> },
}

impl Chain {
    pub(super) fn last(&self) -> u32 {
        self.nodes.last().copied().unwrap_or_default()
    }
}

pub(super) fn is_fusable(node: &Node) -> bool {
    let info = node.info();
    let channels_last = info.attrs.get("data_format").is_none_or(|f| *f == AttrValue::String(b"NHWC".to_vec()));
    channels_last && info.output_dtypes.first() == Some(&DType::Float)
}

/// What follows the contraction at `position`, from the shortest chain to the longest.
pub(super) fn chains(rewrite: &Rewrite, readers: &Readers, fused_ops: &FusedOps, position: u32) -> Vec<Chain> {
    let mut found = Vec::new();
    if HAS_FUSIONS {
        let start = Chain { nodes: vec![position], ..Chain::default() };
        let sum = added(rewrite, readers, fused_ops, &start);
        let biased = sum.and_then(|sum| biased(rewrite, readers, &sum)).map(|chain| without_first(&chain));
        let activated = biased.as_ref().and_then(|chain| activated(rewrite, readers, chain));
        found.extend([biased, activated].into_iter().flatten());
    }
    for chain in channelwise(rewrite, readers, position) {
        let activated = activated(rewrite, readers, &chain);
        let added = added(rewrite, readers, fused_ops, &chain);
        let both = added.as_ref().and_then(|chain| self::activated(rewrite, readers, chain));
        found.push(chain);
        found.extend([activated, added, both].into_iter().flatten());
    }
    found
}

/// The node that alone reads `position`, and nothing else.
fn next<'r>(rewrite: &'r Rewrite, readers: &Readers, position: u32) -> Option<(u32, &'r Node)> {
    let [reader] = readers.of[position as usize][..] else { return None };
    let node = rewrite.node(reader);
    let plain = readers.is_only(position, reader)
        && !rewrite.is_fed(reader)
        && node.control_inputs().is_empty()
        && node.device() == rewrite.node(position).device();
    plain.then_some((reader, node))
}

/// Reshapes, then factors and summands for each channel, as far as they go.
fn channelwise(rewrite: &Rewrite, readers: &Readers, position: u32) -> Vec<Chain> {
    let mut found = Vec::new();
    let count = channels(rewrite, Output { node: position, index: 0 });
    let mut chain = Chain { nodes: vec![position], ..Chain::default() };
    let (mut scale, mut offset): (Option<Vec<f64>>, Vec<f64>) = (None, Vec::new());
    while let Some((at, node)) = next(rewrite, readers, chain.last()) {
        let before = chain.last();
        let is_start = scale.is_none() && offset.is_empty();
        let is_reshape = node.known() == KnownOp::Reshape && node.inputs()[0].node == before;
        if is_reshape && is_start && count.is_some() {
            chain.nodes.push(at);
            chain.reshape = Some(at);
            continue;
        }
        let is_sum = matches!(node.known(), KnownOp::AddV2 | KnownOp::Add)
            || (node.known() == KnownOp::BiasAdd && is_fusable(node) && node.inputs()[0].node == before);
        let values = count.and_then(|count| trailing_values(rewrite, node, before, count));
        match (node.known(), values) {
            (KnownOp::Mul, Some(values)) => {
                scale = Some(combined(scale.as_deref(), &values, |a, b| a * b));
                offset.iter_mut().zip(&values).for_each(|(offset, &factor)| *offset *= f64::from(factor));
            }
            (_, Some(values)) if is_sum => {
                let known = (!offset.is_empty()).then_some(&*offset);
                offset = combined(known, &values, |a, b| a + b);
            }
            (KnownOp::BiasAdd, None) if is_sum && is_start && keeps_channels(rewrite, &chain, count) => {
                chain.nodes.push(at);
                chain.channelwise = Channelwise::Bias(node.inputs()[1]);
                found.push(without_first(&chain));
                return found;
            }
            _ => break,
        }
        chain.nodes.push(at);
        if !offset.is_empty() {
            let single = |values: &[f64]| values.iter().map(|&value| value as f32).collect();
            let scale = scale.as_deref().map(single);
            chain.channelwise = Channelwise::Constants { scale, offset: single(&offset) };
            found.push(without_first(&chain));
        }
    }
    found
}

/// The chain without the contraction itself.
fn without_first(chain: &Chain) -> Chain {
    Chain { nodes: chain.nodes[1..].to_vec(), ..chain.clone() }
}

fn combined(known: Option<&[f64]>, values: &[f32], combine: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    match known {
        Some(known) => known.iter().zip(values).map(|(&a, &b)| combine(a, f64::from(b))).collect(),
        None => values.iter().map(|&value| f64::from(value)).collect(),
    }
}

/// Whether the last axis is still that of the product.
fn keeps_channels(rewrite: &Rewrite, chain: &Chain, count: Option<usize>) -> bool {
    chain
        .reshape
        .is_none_or(|reshape| count.is_some() && channels(rewrite, Output { node: reshape, index: 0 }) == count)
}

/// The same with the sum of the chain and a tensor of the same shape.
fn added(rewrite: &Rewrite, readers: &Readers, fused_ops: &FusedOps, chain: &Chain) -> Option<Chain> {
    let last = chain.last();
    let (at, node) = next(rewrite, readers, last)?;
    let is_sum = matches!(node.known(), KnownOp::AddV2 | KnownOp::Add) && chain.reshape.is_none();
    let [a, b] = node.inputs()[..] else { return None };
    let (own, side) = if a.node == last { (a, b) } else { (b, a) };
    if !is_sum || own.node == side.node || !is_same_shape(rewrite, fused_ops, own, side) {
        return None;
    }
    let mut chain = chain.clone();
    chain.nodes.push(at);
    chain.side = Some(side);
    Some(chain)
}

/// The same with a bias behind it.
fn biased(rewrite: &Rewrite, readers: &Readers, chain: &Chain) -> Option<Chain> {
    let last = chain.last();
    let (at, node) = next(rewrite, readers, last)?;
    if node.known() != KnownOp::BiasAdd || !is_fusable(node) || node.inputs()[0].node != last {
        return None;
    }
    let mut chain = chain.clone();
    chain.nodes.push(at);
    chain.channelwise = Channelwise::Bias(node.inputs()[1]);
    Some(chain)
}

/// Whether both have one shape, whatever is fed. The first axis may be unknown where both have it of one node.
fn is_same_shape(rewrite: &Rewrite, fused_ops: &FusedOps, a: Output, b: Output) -> bool {
    let (shape, other) = (rewrite.graph.shape(a), rewrite.graph.shape(b));
    if shape != other {
        return false;
    }
    match shape.dims() {
        Some([None, rest @ ..]) if rest.iter().all(Option::is_some) => {
            let batches = batch_path(rewrite, fused_ops, a);
            batch_path(rewrite, fused_ops, b).iter().any(|output| batches.contains(output))
        }
        Some(dims) => dims.iter().all(Option::is_some),
        None => false,
    }
}

/// An output and others before it whose first extent is the same.
fn batch_path(rewrite: &Rewrite, fused_ops: &FusedOps, output: Output) -> Vec<Output> {
    let mut path = vec![output];
    let mut at = output;
    while path.len() < MAX_BATCH_STEPS && !rewrite.is_fed(at.node) && at.index == 0 {
        let node = rewrite.node(at.node);
        let Some(&before) = (match keeps_batch(rewrite, fused_ops, node) {
            Some(input) => node.inputs().get(input),
            None => None,
        }) else {
            break;
        };
        path.push(before);
        at = before;
    }
    path
}

/// The input whose first extent the first output has.
fn keeps_batch(rewrite: &Rewrite, fused_ops: &FusedOps, node: &Node) -> Option<usize> {
    let is_contraction =
        fused_ops.contains_key(node.op_name()) && rewrite.graph.shape(*node.inputs().first()?).rank() == Some(4);
    let op = rewrite.graph.registry().get_op(node.op_name())?;
    let is_unary = op.is(OpFact::Elementwise) && node.inputs().len() == 1;
    if is_contraction || is_unary || node.known() == KnownOp::BiasAdd {
        return Some(0);
    }
    let rank = node.output_shapes().first()?.rank()?;
    if node.known() == KnownOp::ConcatV2 {
        let axis = *few_ints(rewrite.constant(*node.inputs().last()?)?).ok()?.first()?;
        return (axis != 0 && axis != -i64::try_from(rank).ok()?).then_some(0);
    }
    if !matches!(node.known(), KnownOp::Mul | KnownOp::Add | KnownOp::AddV2) {
        return None;
    }
    let broadcasts = |input: usize| {
        let value = rewrite.constant(node.inputs()[input])?;
        (value.rank() < rank || value.shape().first() == Some(&1)).then_some(1 - input)
    };
    broadcasts(0).or_else(|| broadcasts(1))
}

/// The same with an activation behind it, an elementwise op of one input or several ops: whether the fused op takes it
/// is for its kernel to say.
fn activated(rewrite: &Rewrite, readers: &Readers, chain: &Chain) -> Option<Chain> {
    if HAS_FUSIONS && let Some((nodes, name)) = composed(rewrite, readers, chain.last()) {
        let mut chain = chain.clone();
        chain.nodes.extend(nodes);
        chain.activation = Some((name.to_owned(), Vec::new()));
        return Some(chain);
    }
    let (last, node) = next(rewrite, readers, chain.last())?;
    let op = rewrite.graph.registry().get_op(node.op_name())?;
    if !op.is(OpFact::Elementwise) || node.inputs().len() != 1 {
        return None;
    }
    let mut chain = chain.clone();
    chain.nodes.push(last);
    let prefix = node.op_name().to_ascii_lowercase();
    let attrs = node.info().attrs.iter().map(|(name, value)| (format!("{prefix}_{name}"), value.clone()));
    chain.activation = Some((node.op_name().to_owned(), attrs.collect()));
    Some(chain)
}
