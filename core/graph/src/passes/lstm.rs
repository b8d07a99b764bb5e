//! `lstm_fusion`: a loop that is a layer of long short-term memory becomes one op.
//!
//! The op multiplies the inputs of all steps at once, and its steps are no nodes of a graph. The pass comes before
//! reserved lists are folded to constants, of which it could not tell how long they are.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::shape_inference::int_values;
use oplink_api::{AttrValue, DType, FuncAttr, Output, PartialShape, Result, Tensor};

use super::devices::kernel_of;
use super::rewrite::{Readers, Replacements};
use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::build::NewNode;
use crate::functions::{Body, Bound, Lstm, bounds};
use crate::known_ops::KnownOp;
use crate::library::ARE_LINKED;

pub(super) const PASS: Pass =
    Pass { name: "lstm_fusion", description: "makes a loop that is a layer of long short-term memory one op", run };

/// The op that is the layer.
const FUSED: &str = "_FusedLSTM";
/// The functions of a loop.
const CONDITION: &str = "cond";
const BODY: &str = "body";

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS || !ARE_LINKED || rewrite.graph.functions.library().is_none() || !rewrite.declares(FUSED) {
        return Ok(());
    }
    let readers = rewrite.readers()?;
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        let is_loop = matches!(rewrite.node(position).known(), KnownOp::While | KnownOp::StatelessWhile);
        if is_loop && !rewrite.is_fed(position) {
            fuse(rewrite, &readers, position, &mut replacements)?;
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// A loop that is a layer.
struct Layer {
    /// The inputs of all steps.
    x: Output,
    lstm: Lstm,
    steps: i64,
    /// The type of the device that a step's products would run on.
    device_type: String,
}

/// Has a loop's results read from one op, where it is a layer.
fn fuse(rewrite: &mut Rewrite, readers: &Readers, position: u32, replacements: &mut Replacements) -> Result<()> {
    let node = rewrite.node(position);
    let inputs = node.inputs().to_vec();
    let Some(layer) = layer(rewrite, position) else { return Ok(()) };
    let Some(fused) = build(rewrite, position, &layer)? else { return Ok(()) };
    for (at, &input) in inputs.iter().enumerate() {
        let old = Output { node: position, index: at as u32 };
        if !readers.reads_output(rewrite, old) {
            continue;
        }
        let new = match at {
            _ if at == layer.lstm.outputs => list_of(rewrite, position, input, fused)?,
            _ if at == layer.lstm.h => Output { node: fused, index: 1 },
            _ if at == layer.lstm.c => Output { node: fused, index: 2 },
            _ if layer.lstm.counters.contains(&at) => last_count(rewrite, position, input, layer.steps)?,
            _ => input,
        };
        replacements.set(old, new);
    }
    let waits =
        |waiting: &mut Vec<u32>| waiting.iter_mut().filter(|wait| **wait == position).for_each(|wait| *wait = fused);
    rewrite.graph.nodes.iter_mut().for_each(|node| waits(&mut node.control_inputs));
    waits(&mut rewrite.signature.targets);
    Ok(())
}

/// The layer that a loop is.
fn layer(rewrite: &mut Rewrite, position: u32) -> Option<Layer> {
    let node = rewrite.node(position);
    let (info, inputs) = (Arc::clone(node.info()), node.inputs().to_vec());
    let shapes: Vec<PartialShape> = inputs.iter().map(|&input| rewrite.graph.shape(input)).collect();
    let body = |name: &str| {
        let function = info.attr::<&FuncAttr>(name).ok()?;
        Body::of_call(&rewrite.graph, &function.name, &function.attrs, &shapes)
    };
    let (condition, body) = (body(CONDITION)?, body(BODY)?);
    let (bounds, lstm) = (bounds(&condition)?, Lstm::find(&body)?);
    let product = body.graph.nodes().iter().find(|node| node.known() == KnownOp::MatMul)?;
    let device_type = kernel_of(rewrite, product)?.0.to_owned();
    let x = made_by(rewrite, inputs[lstm.inputs], KnownOp::TensorListFromTensor)?;
    made_by(rewrite, inputs[lstm.outputs], KnownOp::TensorListReserve)?;
    let room = rewrite.node(inputs[lstm.outputs].node).inputs()[1];
    let mut int =
        |output: Output| int_values(&rewrite.known(output)?).ok().filter(|it| it.len() == 1)?.first().copied();
    let mut steps = None;
    for (counter, bound) in bounds {
        let end = match bound {
            Bound::Value(value) => value,
            // A counter or a state is no bound, which stays what it is.
            Bound::Argument(at) if [lstm.h, lstm.c].contains(&at) || lstm.counters.contains(&at) => return None,
            Bound::Argument(at) => int(inputs[at])?,
        };
        let left = end.checked_sub(int(inputs[counter]).filter(|_| lstm.counters.contains(&counter))?)?;
        steps = Some(steps.map_or(left, |steps: i64| steps.min(left)));
    }
    let steps = steps.filter(|&steps| steps > 0 && int(inputs[lstm.step]) == Some(0))?;
    lstm.counters.iter().try_for_each(|&at| int(inputs[at]).map(|_| ()))?;
    let is_whole = int(room)? == if lstm.writes_all { steps } else { 1 };
    let of_x = rewrite.graph.shape(x);
    let is_all = of_x.rank() == Some(3) && of_x.dim(0) == usize::try_from(steps).ok();
    let is_float = |&at: &usize| rewrite.graph.dtype(inputs[at]) == Some(DType::Float);
    let is_layer = is_whole && is_all && lstm.weights.iter().chain([&lstm.h, &lstm.c]).all(is_float);
    is_layer.then_some(Layer { x, lstm, steps, device_type })
}

/// The first input of the node that an output is of, where that is of an op and not fed.
fn made_by(rewrite: &Rewrite, output: Output, op: KnownOp) -> Option<Output> {
    let node = rewrite.node(output.node);
    (node.known() == op && !rewrite.is_fed(output.node)).then(|| node.inputs().first().copied())?
}

/// The op for a layer; `None` where no kernel takes it.
fn build(rewrite: &mut Rewrite, position: u32, layer: &Layer) -> Result<Option<u32>> {
    let node = rewrite.node(position);
    let (name, device) = (node.name().to_owned(), node.device().to_owned());
    let (inputs, control_inputs) = (node.inputs().to_vec(), node.control_inputs().to_vec());
    let [w, u] = layer.lstm.weights.map(|at| inputs[at]);
    let bias = match layer.lstm.bias {
        Some(at) => inputs[at],
        None => {
            let Some(columns) = rewrite.graph.shape(u).dim(1) else { return Ok(None) };
            rewrite.add_constant(&format!("{name}/no_bias"), Tensor::zeros(DType::Float, [columns])?, &[])?
        }
    };
    let gates: Vec<i64> = layer.lstm.gates.iter().map(|&gate| gate as i64).collect();
    let new = NewNode {
        op: FUSED,
        name: &format!("{name}/lstm"),
        device: &device,
        inputs: &[layer.x, inputs[layer.lstm.h], inputs[layer.lstm.c], w, u, bias].map(Arg::One),
        control_inputs: &control_inputs,
        attrs: &[("gates", AttrValue::Ints(gates)), ("return_sequences", layer.lstm.writes_all.into())],
    };
    Ok(rewrite.add_with_kernel(new, &layer.device_type, &[position]))
}

/// The list of a layer's outputs, with elements of the shape that the list `reserved` has.
fn list_of(rewrite: &mut Rewrite, position: u32, reserved: Output, fused: u32) -> Result<Output> {
    let element_shape = rewrite.node(reserved.node).inputs()[0];
    let name = format!("{}/outputs", rewrite.node(position).name());
    let device = rewrite.node(position).device().to_owned();
    let shape_type = rewrite.graph.dtype(element_shape).unwrap_or(DType::Int32);
    let new = NewNode {
        op: KnownOp::TensorListFromTensor.name(),
        name: &name,
        device: &device,
        inputs: &[Output { node: fused, index: 0 }, element_shape].map(Arg::One),
        control_inputs: &[],
        attrs: &[("element_dtype", DType::Float.into()), ("shape_type", shape_type.into())],
    };
    let list = rewrite.add(new)?;
    rewrite.stands_for(list, &[position]);
    Ok(Output { node: list, index: 0 })
}

/// What a counter is in the end.
fn last_count(rewrite: &mut Rewrite, position: u32, first: Output, steps: i64) -> Result<Output> {
    let name = format!("{}/count", rewrite.node(position).name());
    let first = rewrite.known(first);
    let count = first.as_ref().and_then(|first| int_values(first).ok()?.first()?.checked_add(steps));
    let count = count.ok_or_else(|| oplink_api::Error::internal("a counter whose start is not known"))?;
    let value = match i32::try_from(count) {
        Ok(count) if first.is_some_and(|first| first.dtype() == DType::Int32) => Tensor::scalar(count),
        _ => Tensor::scalar(count),
    };
    rewrite.add_constant(&name, value, &[])
}
