//! The one way by which values call ops: at once, or into the graph of the trace that this thread makes.

use std::sync::Arc;

use oplink_api::call::{Arg, Call, Outputs};
use oplink_api::{AttrValue, NodeInfo, Op, Result, Tensor};
use oplink_core::DeviceName;
use oplink_graph::eager::{EagerContext, device_of_scope};
use smallvec::SmallVec;

use crate::value::Value;
use crate::{tape, trace};

/// Attrs that a call gives.
pub(crate) type Attrs = Vec<(&'static str, AttrValue)>;

/// Calls an op on single values; its first output.
pub(crate) fn call<O: Op>(inputs: impl IntoIterator<Item = Value>) -> Result<Value> {
    call_with::<O>(inputs, Vec::new())
}

/// As [`call`], with attrs.
pub(crate) fn call_with<O: Op>(inputs: impl IntoIterator<Item = Value>, attrs: Attrs) -> Result<Value> {
    call_args::<O>(inputs.into_iter().map(Arg::One), attrs)?.one(0)
}

/// Calls an op whose inputs may be lists.
pub(crate) fn call_args<O: Op>(inputs: impl IntoIterator<Item = Arg<Value>>, attrs: Attrs) -> Result<Outputs<Value>> {
    run(Call { op: O::NAME, name: None, device: None, inputs: inputs.into_iter().collect(), attrs })
}

/// Calls any op by its name, as the operators and methods of values do: at once, or into the graph of the thread's
/// trace; the tapes of the thread record it. It is what bindings to other languages stand on.
///
/// # Errors
/// The op is unknown, inputs or attrs do not fit it, there is no kernel, or the kernel fails.
pub fn run(call: Call<Value>) -> Result<Outputs<Value>> {
    if trace::is_tracing() {
        let kept = kept(&call);
        let (outputs, node) = trace::add(call)?;
        record(kept, &node, &outputs);
        return Ok(outputs);
    }
    run_now(call)
}

/// Whether the op has a kernel on the device that calls of this thread ask for here, or else on that of eager calls.
pub(crate) fn has_kernel<O: Op>() -> Result<bool> {
    let context = EagerContext::global()?;
    let asked = device_of_scope().map(|name| DeviceName::parse(&name)).transpose()?;
    let device_type =
        asked.and_then(|name| name.device_type).unwrap_or_else(|| context.device().device_type().to_owned());
    let mut kernels = context.registry().kernels_of(O::NAME);
    Ok(kernels.any(|kernel| kernel.device.eq_ignore_ascii_case(&device_type)))
}

fn run_now(call: Call<Value>) -> Result<Outputs<Value>> {
    let kept = kept(&call);
    let Call { op, device, inputs, attrs, .. } = call;
    let (mut tensors, lengths) = flat(inputs)?;
    let made = EagerContext::global()?.call_node(op, device.as_deref(), &lengths, &attrs, &mut tensors)?;
    let values = made.outputs.into_iter().map(Value::from).collect();
    let outputs = Outputs { values, ranges: made.node.output_ranges.iter().cloned().collect(), node: 0 };
    record(kept, &made.node, &outputs);
    Ok(outputs)
}

/// The inputs of a call in one list, where a tape records.
fn kept(call: &Call<Value>) -> Option<Vec<Value>> {
    let flat = call.inputs.iter().flat_map(|arg| match arg {
        Arg::One(value) => std::slice::from_ref(value),
        Arg::List(values) => values,
    });
    tape::is_recording().then(|| flat.cloned().collect())
}

fn record(inputs: Option<Vec<Value>>, node: &Arc<NodeInfo>, outputs: &Outputs<Value>) {
    if let Some(inputs) = inputs {
        tape::record(node, inputs, &outputs.values);
    }
}

/// The tensors in one list, and the lengths of lists where there are some.
fn flat(inputs: SmallVec<[Arg<Value>; 4]>) -> Result<(SmallVec<[Tensor; 4]>, SmallVec<[Option<usize>; 4]>)> {
    let has_lists = inputs.iter().any(|input| matches!(input, Arg::List(_)));
    let (mut tensors, mut lengths) = (SmallVec::new(), SmallVec::new());
    for input in inputs {
        match input {
            Arg::One(value) => {
                tensors.push(value.into_tensor()?);
                lengths.push(None);
            }
            Arg::List(values) => {
                lengths.push(Some(values.len()));
                for value in values {
                    tensors.push(value.into_tensor()?);
                }
            }
        }
    }
    if !has_lists {
        lengths.clear();
    }
    Ok((tensors, lengths))
}
