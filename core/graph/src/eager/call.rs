//! One call: what decides where it runs, its node, and its inputs in one list.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, NodeInfo, ResourceHandle, Result, Tensor};
use oplink_core::{ArgDTypes, Device, OpEntry, PreparedKernel, node_for_call, node_for_flat_call};

use super::signature::Signature;

/// A call, as far as it decides where it runs.
#[derive(Clone, Copy)]
pub struct EagerCall<'a> {
    /// The op, or a function of the context.
    pub op: &'a str,
    /// The node's name, for a kernel of its own; else the op's, and the kernel is kept for other such calls.
    pub name: Option<&'a str>,
    /// The dtypes of the inputs.
    pub dtypes: &'a [DType],
    /// For each argument the length of its list, and `None` for a single tensor; empty where the inputs are one flat
    /// list.
    pub lengths: &'a [Option<usize>],
    /// The attrs given.
    pub attrs: &'a [(&'a str, AttrValue)],
    /// The inputs; where some are not there yet, all that are handles of resources.
    pub inputs: &'a [Tensor],
}

/// A call's kernel, and the device that it is of.
#[derive(Clone)]
pub struct Placed {
    /// The kernel.
    pub kernel: Arc<PreparedKernel>,
    /// The device; `None` for the context's own.
    pub device: Option<Arc<dyn Device>>,
}

impl EagerCall<'_> {
    /// The name of the device of the first resource among the inputs.
    pub(super) fn resource_place(&self) -> Option<&str> {
        let resource = self.inputs.iter().find(|input| input.dtype() == DType::Resource)?;
        place_of(resource).filter(|place| !place.is_empty())
    }
}

/// The device in whose memory a tensor lies, or what it is a handle of.
pub(super) fn place_of(input: &Tensor) -> Option<&str> {
    if input.dtype() != DType::Resource {
        return input.device();
    }
    input.as_slice::<ResourceHandle>().ok()?.first()?.info().map(|info| info.device.as_str())
}

/// All inputs in one list, and for each argument the length of its own list; `None` is a single tensor.
pub(super) fn flat(inputs: impl IntoIterator<Item = Arg<Tensor>>) -> (Vec<Tensor>, Vec<Option<usize>>) {
    let (mut tensors, mut lengths) = (Vec::new(), Vec::new());
    for input in inputs {
        match input {
            Arg::One(tensor) => {
                tensors.push(tensor);
                lengths.push(None);
            }
            Arg::List(list) => {
                lengths.push(Some(list.len()));
                tensors.extend(list);
            }
        }
    }
    (tensors, lengths)
}

/// The node of a call on a device.
pub(super) fn node_of_call(entry: &OpEntry, name: &str, device: &str, call: &Signature<'_>) -> Result<NodeInfo> {
    let Signature { dtypes, lengths, attrs, .. } = *call;
    match lengths {
        [] => node_for_flat_call(entry, name, device, dtypes, attrs),
        _ => node_for_call(entry, name, device, &grouped(dtypes, lengths), attrs.iter().cloned()),
    }
}

/// Flat dtypes by argument; `None` is a single tensor.
fn grouped<'a>(dtypes: &'a [DType], lengths: &[Option<usize>]) -> Vec<ArgDTypes<'a>> {
    let mut rest = dtypes;
    let mut take = |length: &Option<usize>| {
        let (these, after) = rest.split_at(length.unwrap_or(1).min(rest.len()));
        rest = after;
        match (length, these) {
            (None, [dtype]) => ArgDTypes::One(*dtype),
            _ => ArgDTypes::List(these),
        }
    };
    lengths.iter().map(&mut take).collect()
}
