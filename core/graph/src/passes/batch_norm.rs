//! `batch_norm_folding`: a batch normalization with constant statistics is a product and a sum for each channel.
//!
//! `y = (x - mean) * scale / sqrt(variance + epsilon) + offset` becomes `x * s + o`; a constant that was added to `x`
//! before goes into `o`. Both are computed in double precision, so values change by rounding.

use oplink_api::call::Arg;
use oplink_api::{DType, Output, Result, Tensor};

use super::channels::{channel_operand, channel_values, channels};
use super::rewrite::{Readers, Replacements};
use super::{Pass, Rewrite};
use crate::build::NewNode;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "batch_norm_folding",
    description: "makes batch normalizations with constant statistics a product and a sum a channel",
    run,
};

const OPS: &[KnownOp] = &[KnownOp::FusedBatchNorm, KnownOp::FusedBatchNormV2, KnownOp::FusedBatchNormV3];

/// What a normalization multiplies by and adds, and to what.
struct Folded {
    x: Output,
    /// The nodes whose work is done.
    nodes: Vec<u32>,
    scale: Vec<f32>,
    offset: Vec<f32>,
}

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let readers = rewrite.readers()?;
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        if let Some(folded) = fold(rewrite, &readers, position) {
            let sum = build(rewrite, position, &folded)?;
            replacements.set(Output { node: position, index: 0 }, sum);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

fn fold(rewrite: &Rewrite, readers: &Readers, position: u32) -> Option<Folded> {
    let node = rewrite.node(position);
    let info = node.info();
    let is_inference = OPS.contains(&node.known()) && info.attr::<bool>("is_training").is_ok_and(|training| !training);
    if !is_inference || rewrite.is_fed(position) || !node.control_inputs().is_empty() {
        return None;
    }
    let channels_last = info.attr::<&str>("data_format").is_ok_and(|format| format == "NHWC" || format == "NDHWC");
    let floats = info.input_dtypes.iter().all(|dtype| *dtype == DType::Float);
    if !channels_last || !floats || !readers.reads_only_first(rewrite, position) {
        return None;
    }
    let [before, parameters @ ..] = node.inputs() else { return None };
    let count = channels(rewrite, *before)?;
    let [scale, offset, mean, variance] = parameters else { return None };
    let values = |output: &Output| channel_values(rewrite.constant(*output)?, count);
    let (scale, offset, mean, variance) = (values(scale)?, values(offset)?, values(mean)?, values(variance)?);
    let epsilon = f64::from(info.attr::<f32>("epsilon").ok()?);
    let (x, added) = added_before(rewrite, readers, *before, position, count);
    let nodes = if x == *before { vec![position] } else { vec![before.node, position] };
    let mut folded = Folded { x, nodes, scale: Vec::with_capacity(count), offset: Vec::with_capacity(count) };
    for channel in 0..count {
        let factor = f64::from(scale[channel]) / (f64::from(variance[channel]) + epsilon).sqrt();
        let before = f64::from(added.as_ref().map_or(0.0, |added| added[channel])) - f64::from(mean[channel]);
        folded.scale.push(factor as f32);
        folded.offset.push((f64::from(offset[channel]) + before * factor) as f32);
    }
    Some(folded)
}

/// What is normalized, and the constant that was added to it, where nobody else reads the sum.
fn added_before(
    rewrite: &Rewrite,
    readers: &Readers,
    x: Output,
    reader: u32,
    count: usize,
) -> (Output, Option<Vec<f32>>) {
    let node = rewrite.node(x.node);
    let is_sum = matches!(node.known(), KnownOp::BiasAdd | KnownOp::AddV2 | KnownOp::Add) && !rewrite.is_fed(x.node);
    if !is_sum || !readers.is_only(x.node, reader) || !node.control_inputs().is_empty() {
        return (x, None);
    }
    for inner in node.inputs() {
        let same_shape = rewrite.graph.shape(*inner) == rewrite.graph.shape(x);
        if let (true, Some(added)) = (same_shape, channel_operand(rewrite, node, inner.node, count)) {
            return (*inner, Some(added));
        }
    }
    (x, None)
}

fn build(rewrite: &mut Rewrite, position: u32, folded: &Folded) -> Result<Output> {
    let (name, device) = (rewrite.node(position).name().to_owned(), rewrite.node(position).device().to_owned());
    let scale = rewrite.add_constant(&format!("{name}/scale"), Tensor::from_slice(&folded.scale), &[])?;
    let offset = rewrite.add_constant(&format!("{name}/offset"), Tensor::from_slice(&folded.offset), &[])?;
    let mut binary = |op: KnownOp, suffix: &str, a: Output, b: Output| {
        let (name, inputs) = (format!("{name}/{suffix}"), [Arg::One(a), Arg::One(b)]);
        let new =
            NewNode { op: op.name(), name: &name, device: &device, inputs: &inputs, control_inputs: &[], attrs: &[] };
        let node = rewrite.add(new)?;
        rewrite.stands_for(node, &folded.nodes);
        Ok(Output { node, index: 0 })
    };
    let product = binary(KnownOp::Mul, "product", folded.x, scale)?;
    binary(KnownOp::AddV2, "sum", product, offset)
}
