//! Where a call runs, and whether its inputs may be copied there.

use std::ffi::c_int;
use std::sync::Arc;

use oplink_api::{AttrValue, DType, Error, ErrorKind, ResourceHandle, Result, Tensor};
use oplink_core::{Device, PreparedKernel};
use smallvec::SmallVec;

use super::{Context, EagerOp};

/// Inputs in another memory are an error.
const EXPLICIT: c_int = 0;
/// Inputs in another memory are an error unless they are of int32.
const SILENT_FOR_INT32: c_int = 3;

/// A kernel, and the device that it is of where that is not the context's own.
pub(super) struct Placed {
    pub(super) kernel: Arc<PreparedKernel>,
    pub(super) device: Option<Arc<dyn Device>>,
}

impl EagerOp {
    /// The kernel for the call as it is now: of the device that it asks for; else of the device of a resource that it takes;
    /// else of the first device that has one.
    pub(super) fn prepare(&self) -> Result<Placed> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let context = self.context()?;
        let attrs: SmallVec<[(&str, AttrValue); 4]> =
            self.attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        if let [_] = context.devices() {
            return self.on_host(context, &attrs);
        }
        let asked = self.wanted.as_ref().or_else(|| self.device_of_resource(context.devices()));
        match asked {
            Some(device) => match self.on(context, device, &attrs) {
                Err(error) if lacks_kernel(&error) && context.is_soft() => self.on_host(context, &attrs),
                placed => placed,
            },
            None => self.on_first(context, &attrs),
        }
    }

    fn on_first(&self, context: &Context, attrs: &[(&str, AttrValue)]) -> Result<Placed> {
        let host = context.eager().device();
        for device in context.devices().iter().take_while(|device| !Arc::ptr_eq(device, host)) {
            match self.on(context, device, attrs) {
                Err(error) if lacks_kernel(&error) => {}
                placed => return placed,
            }
        }
        self.on_host(context, attrs)
    }

    /// Functions are placed node by node, so the call of one is on the host.
    fn on(&self, context: &Context, device: &Arc<dyn Device>, attrs: &[(&str, AttrValue)]) -> Result<Placed> {
        let eager = context.eager();
        if Arc::ptr_eq(device, eager.device()) || eager.registry().get_op(&self.spec.name).is_none() {
            return self.on_host(context, attrs);
        }
        let (dtypes, lengths) = (self.dtypes(), self.argument_lengths());
        let kernel = eager.prepare_call_on(device, &self.spec.name, &dtypes, lengths, attrs)?;
        Ok(Placed { kernel, device: Some(device.clone()) })
    }

    fn on_host(&self, context: &Context, attrs: &[(&str, AttrValue)]) -> Result<Placed> {
        let (dtypes, lengths) = (self.dtypes(), self.argument_lengths());
        let kernel = context.eager().prepare_call(&self.spec.name, &dtypes, lengths, attrs)?;
        Ok(Placed { kernel, device: None })
    }

    fn device_of_resource<'d>(&self, devices: &'d [Arc<dyn Device>]) -> Option<&'d Arc<dyn Device>> {
        let resource = self.inputs.iter().find(|input| input.dtype() == DType::Resource)?;
        let handles = resource.as_slice::<ResourceHandle>().ok()?;
        let wanted = handles.first()?.info()?.device.as_str();
        devices.iter().find(|device| device.name() == wanted)
    }
}

impl Placed {
    /// Refuses inputs that would have to be copied where the context's policy does not allow it.
    pub(super) fn check_policy(&self, context: &Context, op: &str, inputs: &[Tensor]) -> Result<()> {
        let policy = context.policy();
        if !matches!(policy, EXPLICIT | SILENT_FOR_INT32) || context.devices().len() == 1 {
            return Ok(());
        }
        let host = context.eager().device().name();
        for (index, input) in inputs.iter().enumerate() {
            let is = input.device_memory().map_or(host, |memory| memory.block.device());
            let on_device =
                |device: &&Arc<dyn Device>| device.context().is_some() && !self.kernel.host_memory().has_input(index);
            let expected = self.device.as_ref().filter(on_device).map_or(host, |device| device.name());
            if is != expected && !(policy == SILENT_FOR_INT32 && input.dtype() == DType::Int32) {
                return Err(Error::invalid_argument(format!(
                    "input {index} of {op} lies in the memory of {is}, and the kernel reads it in that of {expected}: copy it by \
                     TFE_TensorHandleCopyToDevice, or allow copies by the context's device placement policy"
                )));
            }
        }
        Ok(())
    }
}

fn lacks_kernel(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NoMatchingKernel | ErrorKind::NotLinked)
}
