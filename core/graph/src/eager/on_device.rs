//! Calls on other devices than a context's own, and copies between memories.

use std::sync::Arc;
use std::time::Duration;

use oplink_api::call::Outputs;
use oplink_api::device::DeviceContext;
use oplink_api::{AttrValue, Cancellation, DType, Result, Tensor};
use oplink_core::{Device, PreparedKernel};

use super::call::{Placed, node_of_call};
use super::context::EagerContext;
use super::device_contexts::OnDevice;
use super::signature::Signature;
use crate::transfer::{transfer_to_device, transfer_to_host, transfer_to_host_within};

impl EagerContext {
    /// As [`EagerContext::call`], on `device`: inputs in another memory than its kernel reads them in are copied there
    /// first. Outputs stay where the kernel leaves them, which is the device's memory but for what its `host_memory`
    /// names.
    ///
    /// # Errors
    /// As [`EagerContext::call`]; an input lies in the memory of a device that is none of the process's and that no
    /// call of the context was on, or cannot be copied.
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

    /// As [`EagerContext::run_call`], on `device`, where [`EagerContext::prepare_call_on`] found the kernel. Inputs in
    /// another memory are copied.
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
        self.others.transfer_inputs(device, kernel, inputs)?;
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
                if self.env.has_memory() || inputs.iter().any(Tensor::is_on_device) {
                    self.others.transfer_inputs(self.device(), &placed.kernel, inputs)?;
                }
                self.run_call(&placed.kernel, inputs, outputs)
            }
        }
    }

    /// As [`EagerContext::run_placed`], ended early by `cancellation`.
    ///
    /// # Errors
    /// As [`EagerContext::run_placed`]; the reason of the cancellation.
    pub fn run_placed_until(
        &self,
        placed: &Placed,
        inputs: &mut [Tensor],
        outputs: &mut [Option<Tensor>],
        cancellation: &Cancellation,
    ) -> Result<()> {
        let device = placed.device.as_ref();
        self.others.transfer_inputs(device.unwrap_or(self.device()), &placed.kernel, inputs)?;
        let env = device.map_or_else(|| self.env.clone(), |device| self.at(device).env.clone());
        placed.kernel.run(inputs, outputs, &env.ended_by(cancellation))
    }

    /// The tensor in the memory of `device`: itself where it is there.
    ///
    /// # Errors
    /// The copy's; the tensor lies in the memory of a device that is none of the process's and that no call of the
    /// context was on.
    pub fn to_device(&self, device: &Arc<dyn Device>, tensor: &Tensor) -> Result<Tensor> {
        match device.context() {
            Some(context) => {
                self.at(device);
                transfer_to_device(tensor.clone(), context, &self.contexts()?)
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
            true => transfer_to_host(tensor.clone(), &self.contexts()?),
            false => Ok(tensor.clone()),
        }
    }

    /// As [`EagerContext::to_host`], waited for no longer than so long: what a device that hangs owes does not hold the
    /// caller.
    ///
    /// # Errors
    /// As [`EagerContext::to_host`]; `DeadlineExceeded`, with the device, where the copy does not end in time.
    pub fn to_host_within(&self, tensor: &Tensor, longest: Duration) -> Result<Tensor> {
        transfer_to_host_within(tensor.clone(), &self.contexts()?, longest)
    }

    fn at(&self, device: &Arc<dyn Device>) -> Arc<OnDevice> {
        self.others.at(device, &self.env)
    }

    fn contexts(&self) -> Result<Vec<Arc<dyn DeviceContext>>> {
        self.others.contexts(self.device())
    }
}
