//! `attention_fusion`: products of queries and keys, scaled and masked, their softmax and the product of that with
//! values become one op, which never has the whole matrix of scores in memory.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, Output, Result};
use oplink_core::PreparedKernel;

use super::attention_products::{Side, scores, swaps_time, weighted};
use super::devices::kernel_of;
use super::rewrite::{Readers, Replacements};
use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::build::NewNode;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "attention_fusion",
    description: "makes products of queries and keys, their softmax and its product with values one op",
    run,
};

/// The op that computes attention.
const FUSED: &str = "_FusedAttention";
/// Nodes between a product and its softmax, at most.
const MAX_STEPS: usize = 8;

/// What is found around a softmax.
struct Attention {
    /// Queries, keys and values.
    sides: [Side; 3],
    mask: Option<Output>,
    scale: f32,
    /// Whether the output has time first.
    time_first: bool,
    /// The nodes whose work is done; the last one's output is the attention's.
    nodes: Vec<u32>,
}

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS || !rewrite.declares(FUSED) {
        return Ok(());
    }
    let readers = rewrite.readers()?;
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        if rewrite.node(position).known() != KnownOp::Softmax {
            continue;
        }
        if let Some(attention) = find(rewrite, &readers, position)
            && let Some(output) = build(rewrite, &attention)?
        {
            let last = attention.nodes[attention.nodes.len() - 1];
            replacements.set(Output { node: last, index: 0 }, output);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

fn is_free(rewrite: &Rewrite, position: u32) -> bool {
    !rewrite.is_fed(position) && rewrite.node(position).control_inputs().is_empty()
}

/// The node that alone reads `position`.
fn next(rewrite: &Rewrite, readers: &Readers, position: u32) -> Option<u32> {
    let &[reader] = &readers.of[position as usize][..] else { return None };
    let has_one_device = rewrite.node(reader).device() == rewrite.node(position).device();
    (readers.is_only(position, reader) && is_free(rewrite, reader) && has_one_device).then_some(reader)
}

fn find(rewrite: &Rewrite, readers: &Readers, softmax: u32) -> Option<Attention> {
    let node = rewrite.node(softmax);
    let is_float = node.info().output_dtypes.first() == Some(&DType::Float);
    if !is_float || !is_free(rewrite, softmax) || rewrite.graph.shape(node.inputs()[0]).rank() != Some(4) {
        return None;
    }
    let product = next(rewrite, readers, softmax)?;
    let (values, mut time_first) = weighted(rewrite, rewrite.node(product), softmax)?;
    let mut after = vec![softmax, product];
    if let Some(transpose) = next(rewrite, readers, product).filter(|&at| swaps_time(rewrite, rewrite.node(at))) {
        after.push(transpose);
        time_first = !time_first;
    }
    let Scores { queries, keys, mask, scale, mut nodes } = before(rewrite, readers, softmax)?;
    let sides = [queries, keys, values];
    if sides.iter().any(|side| rewrite.graph.shape(side.output).rank() != Some(4)) {
        return None;
    }
    nodes.extend(after);
    Some(Attention { sides, mask, scale, time_first, nodes })
}

/// What a softmax is taken of.
struct Scores {
    queries: Side,
    keys: Side,
    mask: Option<Output>,
    scale: f32,
    nodes: Vec<u32>,
}

/// The way back from a softmax to the products of queries and keys.
fn before(rewrite: &Rewrite, readers: &Readers, softmax: u32) -> Option<Scores> {
    let (mut reader, mut at) = (softmax, rewrite.node(softmax).inputs()[0]);
    let (mut mask, mut scale, mut nodes) = (None, 1.0, Vec::new());
    while nodes.len() < MAX_STEPS {
        if at.index != 0 || !is_free(rewrite, at.node) || !readers.is_only(at.node, reader) {
            return None;
        }
        let node = rewrite.node(at.node);
        nodes.push(at.node);
        if let Some((queries, keys)) = scores(rewrite, node) {
            nodes.reverse();
            return Some(Scores { queries, keys, mask, scale, nodes });
        }
        let &[x, y] = node.inputs() else { return None };
        reader = at.node;
        let factor = |output: Output| scalar(rewrite, output);
        at = match node.known() {
            KnownOp::Mul if factor(y).is_some() => {
                scale *= factor(y)?;
                x
            }
            KnownOp::Mul => {
                scale *= factor(x)?;
                y
            }
            KnownOp::RealDiv | KnownOp::Div => {
                scale /= factor(y)?;
                x
            }
            // What is added is not multiplied by a factor that comes later.
            KnownOp::AddV2 | KnownOp::Add if mask.is_none() && scale == 1.0 => {
                let (own, other) = if leads_to_scores(rewrite, x) { (x, y) } else { (y, x) };
                mask = Some(other);
                rewrite.graph.shape(other).rank().filter(|&rank| rank <= 4)?;
                own
            }
            _ => return None,
        };
        if rewrite.graph.shape(at).rank() != Some(4) {
            return None;
        }
    }
    None
}

/// Whether a value is a product of queries and keys, times constants.
fn leads_to_scores(rewrite: &Rewrite, output: Output) -> bool {
    let mut at = output;
    for _ in 0..MAX_STEPS {
        let node = rewrite.node(at.node);
        if scores(rewrite, node).is_some() {
            return true;
        }
        let &[x, y] = node.inputs() else { return false };
        at = match node.known() {
            KnownOp::Mul | KnownOp::RealDiv | KnownOp::Div if scalar(rewrite, y).is_some() => x,
            KnownOp::Mul if scalar(rewrite, x).is_some() => y,
            _ => return false,
        };
    }
    false
}

/// The value of a constant with one element.
fn scalar(rewrite: &Rewrite, output: Output) -> Option<f32> {
    let value = rewrite.constant(output).filter(|value| value.num_elements() == 1 && value.rank() <= 4)?;
    value.as_slice::<f32>().ok()?.first().copied()
}

/// The output of the fused op; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, attention: &Attention) -> Result<Option<Output>> {
    let last = rewrite.node(attention.nodes[attention.nodes.len() - 1]);
    let (name, device, shapes) = (last.name().to_owned(), last.device().to_owned(), last.output_shapes().to_vec());
    let Some((device_type, _)) = kernel_of(rewrite, last) else { return Ok(None) };
    let device_type = device_type.to_owned();
    let [q, k, v] = attention.sides;
    let masks: Vec<Output> = attention.mask.into_iter().collect();
    let time_first = vec![q.time_first, k.time_first, v.time_first, attention.time_first];
    let new = NewNode {
        op: FUSED,
        name: &format!("{name}/attention"),
        device: &device,
        inputs: &[Arg::One(q.output), Arg::One(k.output), Arg::One(v.output), Arg::List(masks.clone())],
        control_inputs: &[],
        attrs: &[
            ("num_masks", AttrValue::Int(masks.len() as i64)),
            ("scale", AttrValue::Float(attention.scale)),
            ("time_first", AttrValue::Bools(time_first)),
            ("T", AttrValue::Type(DType::Float)),
        ],
    };
    let Ok(node) = rewrite.add(new) else { return Ok(None) };
    let info = Arc::clone(rewrite.node(node).info());
    let kernel = PreparedKernel::new(rewrite.graph.registry(), info, &device_type);
    rewrite.stands_for(node, &attention.nodes);
    rewrite.graph.nodes[node as usize].output_shapes = shapes;
    Ok(kernel.is_ok().then_some(Output { node, index: 0 }))
}
