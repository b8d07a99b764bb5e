//! `contraction_fusion`: a convolution or a matrix product, what is added for each channel, and the activation behind
//! it become one op.
//!
//! The fused op works on each part of the result while it is in cache. It is used where a kernel takes it.

use std::collections::HashMap;
use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::descriptors::OpFact;
use oplink_api::{AttrValue, DType, Output, Result, Tensor};
use oplink_core::{PreparedKernel, Registry};

use super::channels::{channel_operand, channels};
use super::devices::kernel_of;
use super::rewrite::{Readers, Replacements};
use super::{Pass, Rewrite};
use crate::build::NewNode;
use crate::graph::Node;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "contraction_fusion",
    description: "makes convolutions and matrix products one op with what is added to them and their activation",
    run,
};

/// What follows a contraction.
#[derive(Clone, Default)]
struct Chain {
    /// The nodes in order; the fused op gives the output of the last.
    nodes: Vec<u32>,
    fused_ops: Vec<String>,
    args: Vec<Operand>,
    /// Attrs of the activation, by the names that the fused op has for them.
    activation_attrs: Vec<(String, AttrValue)>,
}

impl Chain {
    fn last(&self) -> u32 {
        self.nodes.last().copied().unwrap_or_default()
    }
}

#[derive(Clone)]
enum Operand {
    Output(Output),
    Channels(Vec<f32>),
}

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let readers = rewrite.readers()?;
    let fused_ops = fused_ops(rewrite.graph.registry());
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        let node = rewrite.node(position);
        let Some(fused) = fused_ops.get(node.op_name()) else { continue };
        if rewrite.is_fed(position) || !node.control_inputs().is_empty() || !is_fusable(node) {
            continue;
        }
        for chain in chains(rewrite, &readers, position).into_iter().rev() {
            if let Some(output) = build(rewrite, position, fused, &chain)? {
                replacements.set(Output { node: chain.last(), index: 0 }, output);
                break;
            }
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// The names of contractions, each with that of the op that fuses it with what follows.
fn fused_ops(registry: &Registry) -> HashMap<&'static str, String> {
    let declared = registry.ops().filter(|op| !op.excluded);
    let fuses = declared.flat_map(|op| op.facts.iter().map(move |fact| (op, fact)));
    let named = fuses.filter_map(|(op, fact)| match fact {
        OpFact::Fuses(contraction) => Some((*contraction, op.name().to_owned())),
        _ => None,
    });
    named.collect()
}

fn is_fusable(node: &Node) -> bool {
    let info = node.info();
    let channels_last = info.attrs.get("data_format").is_none_or(|f| *f == AttrValue::String(b"NHWC".to_vec()));
    channels_last && info.output_dtypes.first() == Some(&DType::Float)
}

/// What follows the contraction, from the shortest chain to the longest.
fn chains(rewrite: &Rewrite, readers: &Readers, position: u32) -> Vec<Chain> {
    let mut found = Vec::new();
    let Some(chain) = scaled(rewrite, readers, position).or_else(|| biased(rewrite, readers, position)) else {
        return found;
    };
    let activated = activated(rewrite, readers, &chain);
    found.push(chain);
    found.extend(activated);
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

/// A product and a sum for each channel.
fn scaled(rewrite: &Rewrite, readers: &Readers, position: u32) -> Option<Chain> {
    let count = channels(rewrite, Output { node: position, index: 0 })?;
    let (product, node) = next(rewrite, readers, position)?;
    let scale = (node.known() == KnownOp::Mul).then(|| channel_operand(rewrite, node, position, count))??;
    let (sum, node) = next(rewrite, readers, product)?;
    let is_sum = matches!(node.known(), KnownOp::AddV2 | KnownOp::Add | KnownOp::BiasAdd);
    let offset = is_sum.then(|| channel_operand(rewrite, node, product, count))??;
    let (zeros, ones) = (vec![0.0; count], vec![1.0; count]);
    let args = [scale, offset, zeros, ones].map(Operand::Channels).to_vec();
    Some(Chain {
        nodes: vec![product, sum],
        fused_ops: vec![KnownOp::FusedBatchNorm.name().to_owned()],
        args,
        activation_attrs: Vec::new(),
    })
}

/// A sum for each channel.
fn biased(rewrite: &Rewrite, readers: &Readers, position: u32) -> Option<Chain> {
    let (sum, node) = next(rewrite, readers, position)?;
    let args = match node.known() {
        KnownOp::BiasAdd if is_fusable(node) && node.inputs()[0].node == position => {
            vec![Operand::Output(node.inputs()[1])]
        }
        KnownOp::AddV2 | KnownOp::Add => {
            let count = channels(rewrite, Output { node: position, index: 0 })?;
            vec![Operand::Channels(channel_operand(rewrite, node, position, count)?)]
        }
        _ => return None,
    };
    Some(Chain {
        nodes: vec![sum],
        fused_ops: vec![KnownOp::BiasAdd.name().to_owned()],
        args,
        activation_attrs: Vec::new(),
    })
}

/// The same with an elementwise op of one input behind it: whether the fused op takes that one is for its kernel to
/// say.
fn activated(rewrite: &Rewrite, readers: &Readers, chain: &Chain) -> Option<Chain> {
    let (last, node) = next(rewrite, readers, chain.last())?;
    let op = rewrite.graph.registry().get_op(node.op_name())?;
    if !op.is(OpFact::Elementwise) || node.inputs().len() != 1 {
        return None;
    }
    let mut chain = chain.clone();
    chain.nodes.push(last);
    let prefix = node.op_name().to_ascii_lowercase();
    let attrs = node.info().attrs.iter().map(|(name, value)| (format!("{prefix}_{name}"), value.clone()));
    chain.activation_attrs = attrs.collect();
    chain.fused_ops.push(node.op_name().to_owned());
    Some(chain)
}

/// The output of the fused op; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, position: u32, fused: &str, chain: &Chain) -> Result<Option<Output>> {
    let contraction = rewrite.node(position).clone();
    let Some((device_type, _)) = kernel_of(rewrite, &contraction) else { return Ok(None) };
    let device_type = device_type.to_owned();
    let name = rewrite.node(chain.last()).name().to_owned();
    let mut args = Vec::new();
    for operand in &chain.args {
        args.push(match operand {
            Operand::Output(output) => *output,
            Operand::Channels(values) => {
                rewrite.add_constant(&format!("{name}/channels"), Tensor::from_slice(values), &[])?
            }
        });
    }
    let attrs = attrs(rewrite, &contraction, fused, chain);
    let attrs: Vec<(&str, AttrValue)> = attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let mut inputs: Vec<Arg<Output>> = contraction.inputs().iter().map(|&input| Arg::One(input)).collect();
    inputs.push(Arg::List(args));
    let declared = rewrite.graph.registry().op(fused)?.spec.inputs.len();
    inputs.resize(declared, Arg::List(Vec::new()));
    let new = NewNode {
        op: fused,
        name: &format!("{name}/fused"),
        device: contraction.device(),
        inputs: &inputs,
        control_inputs: &[],
        attrs: &attrs,
    };
    let Ok(node) = rewrite.add(new) else { return Ok(None) };
    let info = Arc::clone(rewrite.node(node).info());
    let kernel = PreparedKernel::new(rewrite.graph.registry(), info, &device_type);
    rewrite.stands_for(node, &[&[position], chain.nodes.as_slice()].concat());
    Ok(kernel.is_ok().then_some(Output { node, index: 0 }))
}

/// The attrs of the contraction that the fused op has too, and its own.
fn attrs(rewrite: &Rewrite, contraction: &Node, fused: &str, chain: &Chain) -> Vec<(String, AttrValue)> {
    let declares = |name: &str| {
        let op = rewrite.graph.registry().get_op(fused);
        op.is_some_and(|op| op.spec.attrs.iter().any(|attr| attr.name == name))
    };
    let inherited = contraction.info().attrs.iter().filter(|(name, _)| declares(name));
    let mut attrs: Vec<(String, AttrValue)> = inherited.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let fused_ops = chain.fused_ops.iter().map(|op| op.as_bytes().to_vec()).collect();
    let own = [
        ("num_args", AttrValue::Int(chain.args.len() as i64)),
        ("fused_ops", AttrValue::Strings(fused_ops)),
        ("epsilon", AttrValue::Float(0.0)),
    ];
    let own =
        own.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(chain.activation_attrs.iter().cloned());
    attrs.extend(own.filter(|(name, _)| declares(name)));
    attrs
}
