//! Where a call runs, and whether its inputs may be copied there.

use std::ffi::c_int;
use std::sync::Arc;

use oplink_api::{AttrValue, DType, Error, Result, Tensor};
use oplink_core::Device;
use oplink_graph::eager::{EagerCall, Placed};
use smallvec::SmallVec;

use super::{Context, EagerOp, Handle};

/// Inputs in another memory are an error.
const EXPLICIT: c_int = 0;
/// Inputs in another memory are an error unless they are of int32.
const SILENT_FOR_INT32: c_int = 3;

impl EagerOp {
    /// The kernel for the call as it is now, and where it runs: see [`EagerContext::place`].
    ///
    /// [`EagerContext::place`]: oplink_graph::eager::EagerContext::place
    pub(super) fn prepare(&self) -> Result<Placed> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        // As in TensorFlow, attrs that the op does not declare change nothing.
        let attrs = self.attrs.iter().filter(|(name, _)| name.starts_with('_') || self.spec.attr(name).is_some());
        let attrs: SmallVec<[(&str, AttrValue); 4]> =
            attrs.map(|(name, value)| (name.as_str(), value.clone())).collect();
        let (dtypes, lengths) = (self.dtypes(), self.argument_lengths());
        let op = &*self.spec.name;
        let resources = self.resources()?;
        let call = EagerCall { op, name: None, dtypes: &dtypes, lengths, attrs: &attrs, inputs: &resources };
        let wanted = self.wanted.as_ref().map(Result::as_ref).transpose().map_err(Clone::clone)?;
        self.context()?.eager().place(&call, wanted)
    }

    /// The inputs that are handles of resources, which are where those are; waited for.
    fn resources(&self) -> Result<SmallVec<[Tensor; 2]>> {
        self.inputs.iter().filter(|input| input.dtype() == DType::Resource).map(|input| input.tensor()).collect()
    }

    /// Whether the client asked for some device.
    pub(super) fn asks_for_a_device(&self) -> bool {
        !self.device.is_empty()
    }
}

/// Refuses inputs that would have to be copied where the context's policy does not allow it.
pub(super) fn check_policy(placed: &Placed, context: &Context, op: &str, inputs: &[Arc<Handle>]) -> Result<()> {
    let policy = context.policy();
    if !matches!(policy, EXPLICIT | SILENT_FOR_INT32) || context.devices().len() == 1 {
        return Ok(());
    }
    let host = context.eager().device().name();
    for (index, input) in inputs.iter().enumerate() {
        let lies_in = input.backing_device()?;
        let is = lies_in.context().map_or(host, |_| lies_in.name());
        let on_device =
            |device: &&Arc<dyn Device>| device.context().is_some() && !placed.kernel.host_memory().has_input(index);
        let expected = placed.device.as_ref().filter(on_device).map_or(host, |device| device.name());
        if is != expected && !(policy == SILENT_FOR_INT32 && input.dtype() == DType::Int32) {
            return Err(Error::invalid_argument(format!(
                "input {index} of {op} lies in the memory of {is}, and the kernel reads it in that of {expected}: copy it by \
                 TFE_TensorHandleCopyToDevice, or allow copies by the context's device placement policy"
            )));
        }
    }
    Ok(())
}
