//! Calls on a device that is named at the call.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use oplink_api::{AttrValue, DType, DeviceContext, Outputs, Result, Tensor};
use oplink_core::{Device, PreparedKernel, devices};

use super::EagerContext;
use super::cache::{KernelCache, Signature};
use super::context::node_of_call;
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
        let dtypes: Vec<DType> = inputs.iter().map(|tensor| tensor.dtype()).collect();
        let kernel = self.prepare_call_on(device, op, &dtypes, &[], attrs)?;
        let mut inputs: Vec<Tensor> = inputs.iter().map(|&input| input.clone()).collect();
        self.bring(device, &kernel, &mut inputs)?;
        Self::run_in(&self.on(device).env, &kernel, &mut inputs)
    }

    /// As [`EagerContext::prepare_call`], for a call on `device`.
    ///
    /// # Errors
    /// As [`EagerContext::prepare_call`].
    pub fn prepare_call_on(
        &self,
        device: &Arc<dyn Device>,
        op: &str,
        dtypes: &[DType],
        lengths: &[Option<usize>],
        attrs: &[(&str, AttrValue)],
    ) -> Result<Arc<PreparedKernel>> {
        self.on(device).kernels.get_or_make(&Signature { op, dtypes, lengths, attrs }, || {
            let node = node_of_call(self.registry().op(op)?, device.name(), &Signature { op, dtypes, lengths, attrs })?;
            PreparedKernel::new(self.registry(), Arc::new(node), device.device_type())
        })
    }

    /// As [`EagerContext::run_call`], on `device`, where [`EagerContext::prepare_call_on`] found the kernel. Inputs in another memory
    /// are copied.
    ///
    /// # Errors
    /// As [`EagerContext::call_on`].
    pub fn run_call_on(
        &self,
        device: &Arc<dyn Device>,
        kernel: &PreparedKernel,
        inputs: &mut [Tensor],
        outputs: &mut [Option<Tensor>],
    ) -> Result<()> {
        self.bring(device, kernel, inputs)?;
        kernel.run(inputs, outputs, &self.on(device).env)
    }

    /// Copies inputs to where the kernel on `device` reads them.
    fn bring(&self, device: &Arc<dyn Device>, kernel: &PreparedKernel, inputs: &mut [Tensor]) -> Result<()> {
        let contexts = self.contexts()?;
        for (index, input) in inputs.iter_mut().enumerate() {
            match device.context() {
                Some(context) if !kernel.host_memory().has_input(index) => {
                    *input = brought_to_device(input.clone(), context, &contexts)?;
                }
                _ if input.is_on_device() => *input = brought_to_host(input.clone(), &contexts)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The tensor in the memory of `device`: itself where it is there.
    ///
    /// # Errors
    /// The copy's; the tensor lies in the memory of a device that is none of the process's and that no call of the context
    /// was on.
    pub fn to_device(&self, device: &Arc<dyn Device>, tensor: &Tensor) -> Result<Tensor> {
        let contexts = self.contexts()?;
        match device.context() {
            Some(context) => {
                self.on(device);
                brought_to_device(tensor.clone(), context, &contexts)
            }
            None => brought_to_host(tensor.clone(), &contexts),
        }
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
