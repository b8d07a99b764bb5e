//! `separable_fusion`: a depthwise convolution becomes part of the convolution with a window of one pixel that alone
//! reads it.
//!
//! The fused op computes the first a few lines at a time, so that they are in cache when the second reads them.

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, NodeInfo, Output, Result};

use super::devices::kernel_of;
use super::rewrite::{Readers, Replacements};
use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::build::NewNode;

pub(super) const PASS: Pass = Pass {
    name: "separable_fusion",
    description: "makes a depthwise convolution part of the convolution of single pixels that reads it",
    run,
};

/// The convolutions, with what follows each, and the op that is both.
const DEPTHWISE: &str = "_FusedDepthwiseConv2dNative";
const POINTWISE: &str = "_FusedConv2D";
const FUSED: &str = "_FusedSeparableConv2D";

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS || !rewrite.declares(FUSED) {
        return Ok(());
    }
    let readers = rewrite.readers()?;
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        if let Some(depthwise) = depthwise(rewrite, &readers, position)
            && let Some(output) = build(rewrite, depthwise, position)
        {
            replacements.set(Output { node: position, index: 0 }, output);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// The depthwise convolution that the convolution at a position reads, where both can be one op.
fn depthwise(rewrite: &Rewrite, readers: &Readers, position: u32) -> Option<u32> {
    let node = rewrite.node(position);
    if node.op_name() != POINTWISE || !is_free(rewrite, position) || !is_pointwise(rewrite, position) {
        return None;
    }
    let (input, others) = node.inputs().split_first()?;
    let first = rewrite.node(input.node);
    let is_alone = readers.is_only(input.node, position) && others.iter().all(|other| other.node != input.node);
    let is_depthwise = first.op_name() == DEPTHWISE && first.inputs().len() == 3 && is_free(rewrite, input.node);
    (is_depthwise && is_alone && first.device() == node.device()).then_some(input.node)
}

/// Whether a node waits for nothing but its inputs, and is of float and channels last.
fn is_free(rewrite: &Rewrite, position: u32) -> bool {
    let (node, info) = (rewrite.node(position), rewrite.node(position).info());
    !rewrite.is_fed(position)
        && node.control_inputs().is_empty()
        && info.input_dtypes.iter().all(|dtype| *dtype == DType::Float)
        && info.attr::<&str>("data_format").is_ok_and(|format| format == "NHWC")
}

/// Whether each output pixel of a convolution sees the input pixel at its own position alone.
fn is_pointwise(rewrite: &Rewrite, position: u32) -> bool {
    let (node, info) = (rewrite.node(position), rewrite.node(position).info());
    let all = |name: &str, value: i64| info.attr::<&[i64]>(name).is_ok_and(|given| given.iter().all(|x| *x == value));
    let [input, filter, ..] = node.inputs() else { return false };
    let (depth, filter) = (rewrite.graph.shape(*input), rewrite.graph.shape(*filter));
    let depth = if depth.rank() == Some(4) { depth.dim(3) } else { None };
    let is_window = |depth: usize| filter.dims().is_some_and(|dims| dims[..3] == [Some(1), Some(1), Some(depth)]);
    depth.is_some_and(|depth| filter.rank() == Some(4) && is_window(depth))
        && all("strides", 1)
        && all("explicit_paddings", 0)
        && info.attr::<i64>("num_host_args").is_ok_and(|count| count == 0)
}

/// The output of the fused op; `None` where no kernel of the device takes it.
fn build(rewrite: &mut Rewrite, depthwise: u32, position: u32) -> Option<Output> {
    let (first, second) = (rewrite.node(depthwise).clone(), rewrite.node(position).clone());
    let device_type = kernel_of(rewrite, &second)?.0.to_owned();
    if kernel_of(rewrite, &first)?.0 != device_type {
        return None;
    }
    let of = |info: &NodeInfo, name: &str| info.attrs.get(name).cloned();
    let window = ["strides", "padding", "explicit_paddings", "data_format", "dilations"];
    let mut attrs: Vec<(&str, AttrValue)> = Vec::new();
    for name in window {
        attrs.push((name, of(first.info(), name)?));
    }
    attrs.push(("depthwise_ops", of(first.info(), "fused_ops")?));
    attrs.push(("depthwise_leakyrelu_alpha", of(first.info(), "leakyrelu_alpha")?));
    for name in ["fused_ops", "epsilon", "leakyrelu_alpha"] {
        attrs.push((name, of(second.info(), name)?));
    }
    let (filter, args) = second.inputs().get(1..)?.split_first()?;
    let mut inputs: Vec<Arg<Output>> = first.inputs().iter().chain([filter]).map(|&input| Arg::One(input)).collect();
    inputs.push(Arg::List(args.to_vec()));
    let name = format!("{}/separable", second.name());
    let new = NewNode {
        op: FUSED,
        name: &name,
        device: second.device(),
        inputs: &inputs,
        control_inputs: &[],
        attrs: &attrs,
    };
    let node = rewrite.add_with_kernel(new, &device_type, &[depthwise, position])?;
    Some(Output { node, index: 0 })
}
