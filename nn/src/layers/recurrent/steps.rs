//! The steps of a recurrent layer: one after the other, or the body of a loop.

use oplink_api::call::Arg;
use oplink_api::{Error, Result};
use oplink_ops::{TensorListFromTensor, TensorListGetItem, TensorListReserve, TensorListSetItem, TensorListStack};

use super::Recurrent;
use crate::precision::in_compute_dtype;
use crate::run::{call_args, call_with};
use crate::trace::{is_tracing, while_loop};
use crate::value::Value;

/// The states of a layer as its output.
pub(super) fn output(layer: &(impl Recurrent + ?Sized), x: &Value, backward: bool) -> Result<Value> {
    let x = in_compute_dtype(x)?;
    if let Some(output) = layer.sequence(&x, backward)? {
        return Ok(output);
    }
    let inputs = layer.inputs(&x)?;
    let weights = layer.weights()?;
    if is_tracing() && !layer.unrolls() {
        return looped(layer, &weights, &inputs, backward);
    }
    let mut steps = inputs.unstack(1)?;
    if backward {
        steps.reverse();
    }
    if steps.is_empty() {
        return Err(Error::invalid_argument("a sequence without steps has no last state"));
    }
    let mut states = vec![first_state(&inputs, layer.units())?; layer.num_states()];
    let mut outputs = Vec::new();
    for step in &steps {
        states = layer.step(&weights, step, &states)?;
        if layer.returns_sequences() {
            outputs.extend(states.first().cloned());
        }
    }
    if !layer.returns_sequences() {
        return Ok(states.swap_remove(0));
    }
    if backward {
        outputs.reverse();
    }
    Value::stack(outputs, 1)
}

/// A first state: zeros of the batch and the dtype of a sequence, `[batch, steps, …]`.
pub(super) fn first_state(x: &Value, units: usize) -> Result<Value> {
    let dtype = x.dtype()?;
    match x.partial_shape()?.dim(0) {
        Some(batch) => Value::zeros(dtype, [batch, units]),
        None => (x.slice(crate::s![.., 0, ..1])?.zeros_like()? + Value::zeros(dtype, [1, units])?).ok(),
    }
}

/// The same as a loop over the steps. Their inputs are a list that each takes an element of, and its outputs too.
fn looped(layer: &(impl Recurrent + ?Sized), weights: &[Value], inputs: &Value, backward: bool) -> Result<Value> {
    let (dtype, shape) = (inputs.dtype()?, inputs.partial_shape()?);
    let extent = |axis: usize| shape.dim(axis).map_or(-1, |extent| extent as i32);
    let (of_input, of_state) = ([extent(0), extent(2)], [extent(0), layer.units() as i32]);
    let by_step = inputs.transpose([1, 0, 2])?;
    let attrs = || vec![("element_dtype", dtype.into())];
    let list = call_with::<TensorListFromTensor>([by_step.clone(), Value::new(of_input)], attrs())?;
    let count = match shape.dim(1) {
        Some(count) => Value::new(count as i32),
        None => inputs.shape_value()?.at(1)?,
    };
    let mut first = vec![Value::new(0i32)];
    if layer.returns_sequences() {
        let reserved = [Value::new(of_state), count.clone()];
        first.push(call_with::<TensorListReserve>(reserved, attrs())?);
    }
    let num_before = first.len();
    for _ in 0..layer.num_states() {
        first.push(first_state(inputs, layer.units())?);
    }
    let body = |values: Vec<Value>| {
        let (before, states) = values.split_at(num_before);
        let at = if backward { (&count - 1 - &before[0]).ok()? } else { before[0].clone() };
        let item = [list.clone(), at.clone(), Value::new(of_input)].map(Arg::One);
        let states = layer.step(weights, &call_args::<TensorListGetItem>(item, attrs())?.one(0)?, states)?;
        let mut next = vec![(&before[0] + 1).ok()?];
        if let [_, outputs] = before {
            next.push(call_with::<TensorListSetItem>([outputs.clone(), at, states[0].clone()], attrs())?);
        }
        next.extend(states);
        Ok(next)
    };
    let mut last: Vec<Value> = while_loop(first, |values: Vec<Value>| values[0].less(&count), body)?;
    if !layer.returns_sequences() {
        return Ok(last.swap_remove(num_before));
    }
    let num_elements = shape.dim(1).map_or(-1, |count| count as i64);
    let stacked = [last.swap_remove(1), Value::new(of_state)];
    let attrs = vec![("element_dtype", dtype.into()), ("num_elements", num_elements.into())];
    call_with::<TensorListStack>(stacked, attrs)?.transpose([1, 0, 2])
}
