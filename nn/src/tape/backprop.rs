//! Gradients along the records, from the last back.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use oplink_api::call::Arg;
use oplink_api::{Error, OpForGradient, Output, PartialShape, Result, ResultExt};
use oplink_graph::eager::EagerContext;
use oplink_graph::gradients_of_op;
use oplink_ops::AddN;

use super::record_on_all;
use super::recorded::Record;
use crate::run::call_args;
use crate::value::{Id, Value};
use crate::{ValueScope, trace};

/// What arrived at a value.
type Arrived = HashMap<Id, Vec<Value>>;

/// Differentiations so far, which tell them apart.
static DIFFERENTIATIONS: AtomicU64 = AtomicU64::new(0);

/// The gradient of `y`, weighted, by each of `xs`.
pub(super) fn gradients(
    records: &[Rc<Record>],
    watched: &HashSet<Id>,
    y: &Value,
    weights: Option<Value>,
    xs: &[Value],
) -> Result<Vec<Option<Value>>> {
    let wanted: HashSet<Id> = xs.iter().filter_map(Value::id).filter(|id| watched.contains(id)).collect();
    let reach = reached(records, &wanted);
    let source = format!("tape_{}", DIFFERENTIATIONS.fetch_add(1, Ordering::Relaxed));
    let mut found: HashMap<Id, Value> = HashMap::new();
    let mut arrived = Arrived::new();
    if let Some(id) = y.id().filter(|id| reach.contains(id)) {
        let weights = weights.map_or_else(|| y.ones_like(), Ok)?;
        arrived.insert(id, vec![weights]);
    }
    for record in records.iter().rev() {
        if !record.inputs.iter().any(|input| input.id().is_some_and(|id| reach.contains(&id))) {
            continue;
        }
        let sums: Vec<Option<Value>> =
            record.outputs.iter().map(|output| sum(&mut arrived, output.id())).collect::<Result<_>>()?;
        for (output, sum) in record.outputs.iter().zip(&sums) {
            if let (Some(id), Some(sum)) = (output.id().filter(|id| wanted.contains(id)), sum) {
                found.insert(id, sum.clone());
            }
        }
        if sums.iter().any(Option::is_some) {
            pass_through(record, sums, &source, &reach, &mut arrived)?;
        }
    }
    xs.iter()
        .map(|x| {
            let Some(id) = x.id() else { return Ok(None) };
            if !found.contains_key(&id) {
                found.extend(sum(&mut arrived, Some(id))?.map(|sum| (id, sum)));
            }
            Ok(found.get(&id).cloned())
        })
        .collect()
}

/// The values that depend on those wanted, and these.
fn reached(records: &[Rc<Record>], wanted: &HashSet<Id>) -> HashSet<Id> {
    let mut reach = wanted.clone();
    for record in records {
        if record.inputs.iter().any(|input| input.id().is_some_and(|id| reach.contains(&id))) {
            reach.extend(record.outputs.iter().filter_map(Value::id));
        }
    }
    reach
}

/// The sum of what arrived at a value, which is taken.
fn sum(arrived: &mut Arrived, id: Option<Id>) -> Result<Option<Value>> {
    let Some(mut gradients) = id.and_then(|id| arrived.remove(&id)) else { return Ok(None) };
    match gradients.len() {
        0 | 1 => Ok(gradients.pop()),
        _ => call_args::<AddN>([Arg::List(gradients)], Vec::new())?.one(0).map(Some),
    }
}

/// Passes the gradients of a call's outputs to its inputs.
fn pass_through(
    record: &Record,
    sums: Vec<Option<Value>>,
    source: &str,
    reach: &HashSet<Id>,
    arrived: &mut Arrived,
) -> Result<()> {
    let name = &record.node.op.name;
    let registry = EagerContext::global()?.registry();
    if registry.get_op(name).is_some_and(|op| op.no_gradient) {
        return Ok(());
    }
    if record.is_opaque {
        let message = "a gradient of a gradient through `cond` or `while_loop` of a traced function is not supported: \
                       take it outside of `function`, where each step is recorded";
        return Err(Error::unimplemented(message));
    }
    let is_reached = |input: &Value| input.id().is_some_and(|id| reach.contains(&id));
    let wanted: Vec<bool> = record.inputs.iter().map(is_reached).collect();
    if let Some(call) = trace::function_call(&record.node, &record.outputs) {
        let gradients = trace::gradients_of_call(call, &sums, &wanted)
            .context_with(|| format!("gradient of a call of op {name}"))?;
        pass_on_opaque(record, &sums, &gradients);
        for (input, gradient) in record.inputs.iter().zip(gradients) {
            if let (Some(id), Some(gradient)) = (input.id().filter(|id| reach.contains(id)), gradient) {
                arrived.entry(id).or_default().push(gradient);
            }
        }
        return Ok(());
    }
    let mut scope = ValueScope::new();
    let (op, sums) = described(record, sums, &mut scope)?;
    let op = op.with_wanted(wanted).with_source(source);
    let gradients = gradients_of_op(registry, &mut scope, &op, &sums)
        .context_with(|| format!("gradient of a call of op {name}"))?;
    for (input, gradient) in record.inputs.iter().zip(gradients) {
        let (Some(id), Some(gradient)) = (input.id().filter(|id| reach.contains(id)), gradient) else { continue };
        arrived.entry(id).or_default().push(scope.value(gradient)?);
    }
    Ok(())
}

/// Lets other tapes know that these gradients were made of the inputs of a call and of the gradients of its outputs.
fn pass_on_opaque(record: &Record, sums: &[Option<Value>], gradients: &[Option<Value>]) {
    let inputs = record.inputs.iter().chain(sums.iter().flatten()).cloned().collect();
    let outputs = gradients.iter().flatten().cloned().collect();
    record_on_all(Record { node: record.node.clone(), inputs, outputs, is_opaque: true });
}

/// The call as its gradient function sees it, and the gradients of its outputs, in the scope.
fn described(
    record: &Record,
    sums: Vec<Option<Value>>,
    scope: &mut ValueScope,
) -> Result<(OpForGradient, Vec<Option<Output>>)> {
    let shapes = |values: &[Value]| values.iter().map(Value::partial_shape).collect::<Result<Vec<PartialShape>>>();
    let (input_shapes, output_shapes) = (shapes(&record.inputs)?, shapes(&record.outputs)?);
    let inputs = record.inputs.iter().map(|input| scope.output(input.clone())).collect();
    let node = scope.put(record.outputs.iter().cloned().collect());
    let has_gradient = sums.iter().map(Option::is_some).collect();
    let op = OpForGradient::new(node, record.node.clone(), inputs, input_shapes, output_shapes, has_gradient);
    Ok((op, sums.into_iter().map(|sum| sum.map(|sum| scope.output(sum))).collect()))
}
