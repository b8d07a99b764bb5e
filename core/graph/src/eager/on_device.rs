//! Calls on a device that is named at the call.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use oplink_api::{AttrValue, DType, DeviceContext, Outputs, Result, Tensor};
use oplink_core::{Device, PreparedKernel, devices, node_for_flat_call};

use super::EagerContext;
use super::cache::{KernelCache, Signature};
use super::env::EagerEnv;
use crate::moves::{brought_to_device, brought_to_host, brought_to_host_within};

/// A device that calls were made on, with the kernels of those calls.
pub(super) struct OnDevice {
    env: EagerEnv,
    pub(super) kernels: KernelCache,
}

impl EagerContext {
    /// As [`EagerContext::call`], on `device`: inputs in another memory than its kernel reads them in are copied there
    /// first. Outputs stay where the kernel leaves them, which is the device's memory but for what its `host_memory` names.
    ///
    /// # Errors
    /// As [`EagerContext::call`]; an input lies in the memory of a device that is none of the process's and that no call
    /// of the context was on, or cannot be copied.
    pub fn call_on(
        &self,
        device: &Arc<dyn Device>,
        op: &str,
        inputs: &[&Tensor],
        attrs: &[(&str, AttrValue)],
    ) -> Result<Outputs<Tensor>> {
        let on = self.on(device);
        let dtypes: Vec<DType> = inputs.iter().map(|tensor| tensor.dtype()).collect();
        let kernel = on.kernels.get_or_make(&Signature { op, dtypes: &dtypes, lengths: &[], attrs }, || {
            let node = node_for_flat_call(self.registry().op(op)?, op, device.name(), &dtypes, attrs)?;
            PreparedKernel::new(self.registry(), Arc::new(node), device.device_type())
        })?;
        let contexts = self.contexts()?;
        let inputs = inputs.iter().map(|&input| input.clone()).enumerate();
        let brought = inputs.map(|(index, input)| match device.context() {
            Some(context) if !kernel.host_memory().has_input(index) => brought_to_device(input, context, &contexts),
            _ => brought_to_host(input, &contexts),
        });
        let mut inputs: Vec<Tensor> = brought.collect::<Result<_>>()?;
        Self::run_in(&on.env, &kernel, &mut inputs)
    }

    /// The tensor on the host: itself where it is there, a copy that was waited for where it lies in a device's memory.
    ///
    /// # Errors
    /// The copy's; the device is none of the process's, and no call of the context was on it.
    pub fn to_host(&self, tensor: &Tensor) -> Result<Tensor> {
        match tensor.is_on_device() {
            true => brought_to_host(tensor.clone(), &self.contexts()?),
            false => Ok(tensor.clone()),
        }
    }

    /// As [`EagerContext::to_host`], waited for no longer than so long: what a device that hangs owes does not hold the
    /// caller.
    ///
    /// # Errors
    /// As [`EagerContext::to_host`]; `DeadlineExceeded`, with the device, where the copy does not end in time.
    pub fn to_host_within(&self, tensor: &Tensor, longest: Duration) -> Result<Tensor> {
        brought_to_host_within(tensor.clone(), &self.contexts()?, longest)
    }

    fn on(&self, device: &Arc<dyn Device>) -> Arc<OnDevice> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.iter().find(|other| Arc::ptr_eq(other.env.device(), device)) {
            return known.clone();
        }
        let made = Arc::new(OnDevice { env: self.env.on(device.clone()), kernels: KernelCache::default() });
        others.push(made.clone());
        made
    }

    /// The contexts of the devices with memory of their own.
    fn contexts(&self) -> Result<Vec<Arc<dyn DeviceContext>>> {
        let others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let mut contexts: Vec<Arc<dyn DeviceContext>> =
            others.iter().filter_map(|other| other.env.device().context().cloned()).collect();
        contexts.extend(self.device().context().cloned());
        contexts.extend(devices()?.iter().filter_map(|device| device.context().cloned()));
        Ok(contexts)
    }
}
