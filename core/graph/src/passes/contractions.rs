//! `contraction_fusion`: a convolution or a matrix product, what is multiplied and added for each channel, a tensor
//! that is added, and the activation behind it become one op.
//!
//! The fused op works on each part of the result while it is in cache. It is used where a kernel takes it.

use std::collections::HashSet;

use oplink_api::call::Arg;
use oplink_api::descriptors::OpFact;
use oplink_api::{AttrValue, Output, Result, Tensor};
use oplink_core::Registry;

use super::contraction_chain::{Chain, Channelwise, FusedOps, chains, is_fusable};
use super::devices::kernel_of;
use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::build::NewNode;
use crate::graph::Node;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "contraction_fusion",
    description: "makes convolutions and matrix products one op with what is added to them and their activation",
    run,
};

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let readers = rewrite.readers()?;
    let fused_ops = fused_ops(rewrite.graph.registry());
    let (mut replacements, mut taken) = (Replacements::default(), HashSet::<u32>::new());
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        let node = rewrite.node(position);
        let Some(fused) = fused_ops.get(node.op_name()) else { continue };
        if rewrite.is_fed(position) || !node.control_inputs().is_empty() || !is_fusable(node) {
            continue;
        }
        for chain in chains(rewrite, &readers, &fused_ops, position).into_iter().rev() {
            if chain.nodes.iter().any(|node| taken.contains(node)) {
                continue;
            }
            if let Some(output) = build(rewrite, position, fused, &chain)? {
                replacements.set(Output { node: chain.last(), index: 0 }, output);
                taken.extend(&chain.nodes);
                break;
            }
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// The names of contractions, each with that of the op that fuses it with what follows.
fn fused_ops(registry: &Registry) -> FusedOps {
    let declared = registry.ops().filter(|op| !op.excluded);
    let fuses = declared.flat_map(|op| op.facts.iter().map(move |fact| (op, fact)));
    let named = fuses.filter_map(|(op, fact)| match fact {
        OpFact::Fuses(contraction) => Some((*contraction, op.name().to_owned())),
        _ => None,
    });
    named.collect()
}

/// The output of the fused op; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, position: u32, fused: &str, chain: &Chain) -> Result<Option<Output>> {
    let direct = build_with(rewrite, position, fused, chain, None)?;
    if direct.is_some() {
        return Ok(direct);
    }
    // A kernel that takes no factors: they go into the weights, where these are constant.
    let Channelwise::Constants { scale: Some(scale), offset } = &chain.channelwise else { return Ok(None) };
    let Some(weights) = scaled_weights(rewrite, position, scale) else { return Ok(None) };
    let channelwise = Channelwise::Constants { scale: None, offset: offset.clone() };
    build_with(rewrite, position, fused, &Chain { channelwise, ..chain.clone() }, Some(weights))
}

/// The constant weights of a contraction whose last values are one for each channel, each multiplied by the channel's
/// factor.
fn scaled_weights(rewrite: &Rewrite, position: u32, scale: &[f32]) -> Option<Tensor> {
    let node = rewrite.node(position);
    let is_transposed = |name: &str| node.info().attr::<bool>(name).is_ok_and(|transposed| transposed);
    let value = rewrite.constant(*node.inputs().get(1)?)?;
    let dims: &[usize] = value.shape();
    let channels_last = (1..=2).any(|axes| {
        let last = dims.len().checked_sub(axes).and_then(|from| dims.get(from..));
        last.is_some_and(|last| last.iter().copied().fold(1, usize::saturating_mul) == scale.len())
    });
    if scale.is_empty() || !channels_last || is_transposed("transpose_a") || is_transposed("transpose_b") {
        return None;
    }
    let rows = value.as_slice::<f32>().ok()?.chunks_exact(scale.len());
    let values: Vec<f32> = rows.flat_map(|row| row.iter().zip(scale).map(|(w, s)| w * s)).collect();
    Tensor::from_vec(value.shape().clone(), values).ok()
}

/// As [`build`], with these weights in place of the contraction's.
fn build_with(
    rewrite: &mut Rewrite,
    position: u32,
    fused: &str,
    chain: &Chain,
    weights: Option<Tensor>,
) -> Result<Option<Output>> {
    let contraction = rewrite.node(position).clone();
    let Some((device_type, _)) = kernel_of(rewrite, &contraction) else { return Ok(None) };
    let device_type = device_type.to_owned();
    let name = rewrite.node(chain.last()).name().to_owned();
    let (names, args) = args(rewrite, chain, &name)?;
    let attrs = attrs(rewrite, &contraction, fused, (&names, args.len()), chain);
    let attrs: Vec<(&str, AttrValue)> = attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let mut inputs: Vec<Arg<Output>> = contraction.inputs().iter().map(|&input| Arg::One(input)).collect();
    if let Some(weights) = weights {
        inputs[1] = Arg::One(rewrite.add_constant(&format!("{name}/weights"), weights, &[])?);
    }
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
    let replaced = [&[position], chain.nodes.as_slice()].concat();
    let node = rewrite.add_with_kernel(new, &device_type, &replaced);
    node.map(|node| reshaped(rewrite, chain, Output { node, index: 0 })).transpose()
}

/// The fused op's output in the shape that the chain gives it.
fn reshaped(rewrite: &mut Rewrite, chain: &Chain, output: Output) -> Result<Output> {
    let Some(reshape) = chain.reshape else { return Ok(output) };
    let (reshape, last) = (rewrite.node(reshape).clone(), rewrite.node(chain.last()));
    let (name, shapes) = (last.name().to_owned(), last.output_shapes().to_vec());
    let new = NewNode {
        op: reshape.op_name(),
        name: &format!("{name}/reshaped"),
        device: reshape.device(),
        inputs: &[Arg::One(output), Arg::One(reshape.inputs()[1])],
        control_inputs: &[],
        attrs: &[],
    };
    let node = rewrite.add(new)?;
    rewrite.stands_for(node, &chain.nodes);
    rewrite.graph.nodes[node as usize].output_shapes = shapes;
    Ok(Output { node, index: 0 })
}

/// What follows the product, by the names of ops, and its tensors.
fn args(rewrite: &mut Rewrite, chain: &Chain, name: &str) -> Result<(Vec<String>, Vec<Output>)> {
    let mut constant =
        |values: &[f32]| rewrite.add_constant(&format!("{name}/channels"), Tensor::from_slice(values), &[]);
    let bias = || KnownOp::BiasAdd.name().to_owned();
    let (mut names, mut args) = match &chain.channelwise {
        Channelwise::Nothing => (Vec::new(), Vec::new()),
        Channelwise::Bias(output) => (vec![bias()], vec![*output]),
        Channelwise::Constants { scale: None, offset } => (vec![bias()], vec![constant(offset)?]),
        Channelwise::Constants { scale: Some(scale), offset } => {
            let (zeros, ones) = (vec![0.0; scale.len()], vec![1.0; scale.len()]);
            let args = [scale, offset, &zeros, &ones].map(|values| constant(values));
            let args = args.into_iter().collect::<Result<_>>()?;
            (vec![KnownOp::FusedBatchNorm.name().to_owned()], args)
        }
    };
    if let Some(side) = chain.side {
        names.push(KnownOp::Add.name().to_owned());
        args.push(side);
    }
    names.extend(chain.activation.iter().map(|(op, _)| op.clone()));
    Ok((names, args))
}

/// The attrs of the contraction that the fused op has too, and its own.
fn attrs(
    rewrite: &Rewrite,
    contraction: &Node,
    fused: &str,
    (names, num_args): (&[String], usize),
    chain: &Chain,
) -> Vec<(String, AttrValue)> {
    let declares = |name: &str| {
        let op = rewrite.graph.registry().get_op(fused);
        op.is_some_and(|op| op.spec.attrs.iter().any(|attr| attr.name == name))
    };
    let inherited = contraction.info().attrs.iter().filter(|(name, _)| declares(name));
    let mut attrs: Vec<(String, AttrValue)> = inherited.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let fused_ops = names.iter().map(|op| op.as_bytes().to_vec()).collect();
    let own = [
        ("num_args", AttrValue::Int(num_args as i64)),
        ("fused_ops", AttrValue::Strings(fused_ops)),
        ("epsilon", AttrValue::Float(0.0)),
    ];
    let of_activation = chain.activation.iter().flat_map(|(_, attrs)| attrs.iter().cloned());
    let own = own.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(of_activation);
    attrs.extend(own.filter(|(name, _)| declares(name)));
    attrs
}
