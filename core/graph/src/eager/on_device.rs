//! Calls on other devices than a context's own, and copies between memories.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oplink_api::{AttrValue, DType, DeviceContext, Outputs, Result, Tensor};
use oplink_core::{Device, PreparedKernel, devices};

use super::cache::{KernelCache, Signature};
use super::context::node_of_call;
use super::env::EagerEnv;
use super::{EagerContext, Placed};
use crate::moves::{brought_to_device, brought_to_host, brought_to_host_within};

/// A device that calls were made on, with the kernels of those calls.
pub(super) struct OnDevice {
    pub(super) env: Arc<EagerEnv>,
    kernels: KernelCache,
}

/// The devices that calls of a context were made on beside its own.
#[derive(Default)]
pub(super) struct Others(Mutex<Vec<Arc<OnDevice>>>);

impl Others {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<OnDevice>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The device among them, in the step of `own`.
    pub(super) fn at(&self, device: &Arc<dyn Device>, own: &EagerEnv) -> Arc<OnDevice> {
        let mut others = self.lock();
        if let Some(known) = others.iter().find(|other| Arc::ptr_eq(other.env.device(), device)) {
            return known.clone();
        }
        let made = Arc::new(OnDevice { env: Arc::new(own.on(device.clone())), kernels: KernelCache::default() });
        others.push(made.clone());
        made
    }

    pub(super) fn devices(&self) -> Vec<Arc<dyn Device>> {
        self.lock().iter().map(|other| other.env.device().clone()).collect()
    }

    pub(super) fn clear_kernels(&self) {
        self.lock().iter().for_each(|other| other.kernels.clear());
    }

    /// Those with memory of their own, `own` and the process's too.
    fn contexts(&self, own: &Arc<dyn Device>) -> Result<Vec<Arc<dyn DeviceContext>>> {
        let known = self.devices().into_iter().chain([own.clone()]).chain(devices()?);
        Ok(known.filter_map(|device| device.context().cloned()).collect())
    }

    /// Copies inputs that are elsewhere to where the kernel on `device` reads them.
    pub(super) fn bring(&self, device: &Arc<dyn Device>, kernel: &PreparedKernel, inputs: &mut [Tensor]) -> Result<()> {
        for (index, input) in inputs.iter_mut().enumerate() {
            match device.context().filter(|_| !kernel.host_memory().has_input(index)) {
                Some(context) if input.device() != Some(context.device()) => {
                    *input = brought_to_device(input.clone(), context, &self.contexts(device)?)?;
                }
                None if input.is_on_device() => *input = brought_to_host(input.clone(), &self.contexts(device)?)?,
                _ => {}
            }
        }
        Ok(())
    }
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
        let mut slots = vec![None; kernel.node().output_dtypes.len()];
        self.run_call_on(device, &kernel, &mut inputs, &mut slots)?;
        let ranges = kernel.node().output_ranges.iter().cloned().collect();
        Ok(Outputs { values: slots.into_iter().flatten().collect(), ranges, node: 0 })
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
        let signature = Signature { op, dtypes, lengths, attrs };
        self.at(device).kernels.get_or_make(&signature, || {
            let node = node_of_call(self.registry().op(op)?, op, device.name(), &signature)?;
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
        self.others.bring(device, kernel, inputs)?;
        kernel.run(inputs, outputs, &*self.at(device).env)
    }

    /// Runs a call where [`EagerContext::place`] put it. Inputs in another memory are copied.
    ///
    /// # Errors
    /// As [`EagerContext::call_on`].
    pub fn run_placed(&self, placed: &Placed, inputs: &mut [Tensor], outputs: &mut [Option<Tensor>]) -> Result<()> {
        match &placed.device {
            Some(device) => self.run_call_on(device, &placed.kernel, inputs, outputs),
            None => {
                self.others.bring(self.device(), &placed.kernel, inputs)?;
                self.run_call(&placed.kernel, inputs, outputs)
            }
        }
    }

    /// The tensor in the memory of `device`: itself where it is there.
    ///
    /// # Errors
    /// The copy's; the tensor lies in the memory of a device that is none of the process's and that no call of the context
    /// was on.
    pub fn to_device(&self, device: &Arc<dyn Device>, tensor: &Tensor) -> Result<Tensor> {
        match device.context() {
            Some(context) => {
                self.at(device);
                brought_to_device(tensor.clone(), context, &self.contexts()?)
            }
            None => self.to_host(tensor),
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

    fn at(&self, device: &Arc<dyn Device>) -> Arc<OnDevice> {
        self.others.at(device, &self.env)
    }

    fn contexts(&self) -> Result<Vec<Arc<dyn DeviceContext>>> {
        self.others.contexts(self.device())
    }
}
