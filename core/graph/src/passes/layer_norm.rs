//! `layer_norm_fusion`: the normalisation of rows by their mean and variance, or by the mean of their squares, becomes
//! one op, however its products and sums are written.

use std::collections::BTreeSet;
use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::shape_inference::int_values;
use oplink_api::{DType, Output, Result, Tensor};
use oplink_core::PreparedKernel;

use super::channels::channels;
use super::devices::kernel_of;
use super::linear_form::{Basis, Form, Forms, Term};
use super::rewrite::{Readers, Replacements};
use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::build::NewNode;
use crate::graph::NodeMap;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "layer_norm_fusion",
    description: "makes the normalisation of rows by their mean and variance one op",
    run,
};

/// The op that normalises.
const FUSED: &str = "_FusedLayerNorm";
/// Nodes behind the root's reciprocal that are followed, at most.
const MAX_NODES: usize = 32;

/// What is normalised, and how.
struct Moments {
    x: Output,
    /// `None` where only squares are averaged.
    mean: Option<Output>,
    epsilon: f32,
}

/// A normalisation, and the node that it is the output of.
struct Found {
    node: u32,
    scale: Vec<f32>,
    offset: Vec<f32>,
}

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS || !rewrite.declares(FUSED) {
        return Ok(());
    }
    let readers = rewrite.readers()?;
    let needed = rewrite.needed()?;
    let mut order = NodeMap::default();
    for (at, &node) in needed.iter().enumerate() {
        order.insert(node, at);
    }
    let mut replacements = Replacements::default();
    for &position in &needed {
        rewrite.check_time()?;
        if let Some(moments) = moments(rewrite, position)
            && let Some(found) = follow(rewrite, &readers, &order, position, &moments)
            && let Some(output) = build(rewrite, &moments, &found)?
        {
            replacements.set(Output { node: found.node, index: 0 }, output);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// What a root's reciprocal is taken of, where that is a variance or a mean of squares over the last axis.
fn moments(rewrite: &Rewrite, position: u32) -> Option<Moments> {
    let node = rewrite.node(position);
    let is_root = node.known() == KnownOp::Rsqrt && is_free(rewrite, position);
    let sum = is_root.then(|| source(rewrite, node.inputs()[0]))?;
    let (variance, epsilon) = with_epsilon(rewrite, sum)?;
    let squares = mean_of(rewrite, source(rewrite, variance))?;
    let node = rewrite.node(squares.node);
    let inputs: Vec<Output> = node.inputs().iter().map(|&input| source(rewrite, input)).collect();
    let (x, mean) = match (node.known(), &inputs[..]) {
        _ if !is_free(rewrite, squares.node) => return None,
        (KnownOp::SquaredDifference, &[a, b]) => centered(rewrite, a, b)?,
        (KnownOp::Square, &[x]) => difference(rewrite, x),
        (KnownOp::Mul, &[x, y]) if x == y => difference(rewrite, x),
        _ => return None,
    };
    let is_float = rewrite.graph.dtype(x) == Some(DType::Float);
    is_float.then_some(Moments { x, mean, epsilon })
}

/// Which of two values is the mean of the other: the other, and it.
fn centered(rewrite: &Rewrite, a: Output, b: Output) -> Option<(Output, Option<Output>)> {
    let is_mean = |mean: Output, x: Output| mean_of(rewrite, mean) == Some(x);
    if is_mean(b, a) { Some((a, Some(b))) } else { is_mean(a, b).then_some((b, Some(a))) }
}

/// Of `x - mean(x)` both; of any other value itself.
fn difference(rewrite: &Rewrite, value: Output) -> (Output, Option<Output>) {
    let node = rewrite.node(value.node);
    let inputs: Vec<Output> = node.inputs().iter().map(|&input| source(rewrite, input)).collect();
    match inputs[..] {
        [x, mean]
            if node.known() == KnownOp::Sub && is_free(rewrite, value.node) && mean_of(rewrite, mean) == Some(x) =>
        {
            (x, Some(mean))
        }
        _ => (value, None),
    }
}

fn is_free(rewrite: &Rewrite, position: u32) -> bool {
    !rewrite.is_fed(position) && rewrite.node(position).control_inputs().is_empty()
}

/// The value that identities forward.
fn source(rewrite: &Rewrite, output: Output) -> Output {
    let mut output = output;
    while rewrite.node(output.node).known().is_identity() && is_free(rewrite, output.node) {
        output = rewrite.node(output.node).inputs()[0];
    }
    output
}

/// The summands of a sum with a scalar constant.
fn with_epsilon(rewrite: &Rewrite, sum: Output) -> Option<(Output, f32)> {
    let node = rewrite.node(sum.node);
    let is_sum = matches!(node.known(), KnownOp::Add | KnownOp::AddV2) && is_free(rewrite, sum.node);
    let &[a, b] = is_sum.then(|| node.inputs())? else { return None };
    let scalar = |output: Output| {
        let value = rewrite.constant(source(rewrite, output))?;
        let is_one = value.num_elements() == 1 && value.rank() <= rewrite.graph.shape(sum).rank()?;
        is_one.then(|| value.as_slice::<f32>().ok()?.first().copied())?
    };
    scalar(b).map(|epsilon| (a, epsilon)).or_else(|| scalar(a).map(|epsilon| (b, epsilon)))
}

/// What a value is the mean of along the last axis, which stays.
fn mean_of(rewrite: &Rewrite, mean: Output) -> Option<Output> {
    let node = rewrite.node(mean.node);
    let keeps = node.known() == KnownOp::Mean && node.info().attr::<bool>("keep_dims").is_ok_and(|keeps| keeps);
    let &[x, axes] = (keeps && is_free(rewrite, mean.node)).then(|| node.inputs())? else { return None };
    let rank = rewrite.graph.shape(x).rank()? as i64;
    let axes = int_values(rewrite.constant(source(rewrite, axes))?).ok()?;
    matches!(axes[..], [axis] if axis == -1 || axis == rank - 1).then(|| source(rewrite, x))
}

/// The last node behind the root's reciprocal that is the whole normalisation.
fn follow(rewrite: &Rewrite, readers: &Readers, order: &NodeMap<usize>, root: u32, moments: &Moments) -> Option<Found> {
    let (count, rank) = (channels(rewrite, moments.x)?, rewrite.graph.shape(moments.x).rank()?);
    let mut forms = Forms::new(count, rank);
    forms.define(moments.x, Basis::Value, false);
    forms.define(Output { node: root, index: 0 }, Basis::One, true);
    let starts = [Some(moments.x), moments.mean, Some(Output { node: root, index: 0 })];
    if let Some(mean) = moments.mean {
        forms.define(mean, Basis::Mean, false);
    }
    if starts.iter().flatten().any(|output| output.index != 0) {
        return None;
    }
    let mut waiting = BTreeSet::new();
    let wait = |waiting: &mut BTreeSet<(usize, u32)>, node: u32| {
        let after = readers.of[node as usize].iter().filter_map(|&reader| Some((*order.get(reader)?, reader)));
        waiting.extend(after);
    };
    starts.iter().flatten().for_each(|start| wait(&mut waiting, start.node));
    let (mut found, mut visited) = (None, 0);
    let device = rewrite.node(root).device();
    while let Some((_, position)) = waiting.pop_first() {
        let is_open = is_free(rewrite, position) && forms.get(position).is_none();
        if !is_open || rewrite.node(position).device() != device || !forms.follow(rewrite, position) {
            continue;
        }
        visited += 1;
        if visited > MAX_NODES {
            break;
        }
        wait(&mut waiting, position);
        if let Some((scale, offset)) = forms.get(position).and_then(|form| whole(form, moments.mean.is_some())) {
            found = Some(Found { node: position, scale, offset });
        }
    }
    found
}

/// Scale and offset, where a form is a normalisation with these.
fn whole(form: &Form, is_centered: bool) -> Option<(Vec<f32>, Vec<f32>)> {
    let (mut value, mut mean, mut offset) = (None, None, None);
    for Term { basis, is_divided, factors } in form {
        match (basis, is_divided) {
            (Basis::Value, true) => value = Some(factors),
            (Basis::Mean, true) => mean = Some(factors),
            (Basis::One, false) => offset = Some(factors),
            _ if factors.iter().all(|&factor| factor == 0.0) => {}
            _ => return None,
        }
    }
    let value = value?;
    let is_opposite = |mean: &Vec<f64>| mean.iter().zip(value).all(|(mean, value)| *mean == -*value);
    if mean.is_some() != is_centered || !mean.is_none_or(is_opposite) {
        return None;
    }
    let single = |values: &[f64]| values.iter().map(|&value| value as f32).collect::<Vec<f32>>();
    Some((single(value), offset.map_or_else(|| vec![0.0; value.len()], |offset| single(offset))))
}

/// The output of the fused op; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, moments: &Moments, found: &Found) -> Result<Option<Output>> {
    let node = rewrite.node(found.node);
    let (name, device) = (node.name().to_owned(), node.device().to_owned());
    let shapes = node.output_shapes().to_vec();
    let Some((device_type, _)) = kernel_of(rewrite, node) else { return Ok(None) };
    let device_type = device_type.to_owned();
    let scale = rewrite.add_constant(&format!("{name}/scale"), Tensor::from_slice(&found.scale), &[])?;
    let offset = rewrite.add_constant(&format!("{name}/offset"), Tensor::from_slice(&found.offset), &[])?;
    let new = NewNode {
        op: FUSED,
        name: &format!("{name}/normalised"),
        device: &device,
        inputs: &[Arg::One(moments.x), Arg::One(scale), Arg::One(offset)],
        control_inputs: &[],
        attrs: &[("epsilon", moments.epsilon.into()), ("centered", moments.mean.is_some().into())],
    };
    let Ok(node) = rewrite.add(new) else { return Ok(None) };
    let info = Arc::clone(rewrite.node(node).info());
    let kernel = PreparedKernel::new(rewrite.graph.registry(), info, &device_type);
    rewrite.stands_for(node, &[found.node]);
    if rewrite.node(node).output_shapes() != shapes {
        return Ok(None);
    }
    Ok(kernel.is_ok().then_some(Output { node, index: 0 }))
}
