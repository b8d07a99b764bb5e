//! The devices that calls were made on beside a context's own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_api::device::DeviceContext;
use oplink_api::{Result, Tensor};
use oplink_core::{Device, PreparedKernel, devices};

use super::cache::KernelCache;
use super::env::EagerEnv;
use crate::transfer::{transfer_to_device, transfer_to_host};

/// A device that calls were made on, with the kernels of those calls.
pub(super) struct OnDevice {
    pub(super) env: Arc<EagerEnv>,
    pub(super) kernels: KernelCache,
}

/// The devices that calls of a context were made on beside its own.
#[derive(Default)]
pub(super) struct DeviceContexts(Mutex<Vec<Arc<OnDevice>>>);

impl DeviceContexts {
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
    pub(super) fn contexts(&self, own: &Arc<dyn Device>) -> Result<Vec<Arc<dyn DeviceContext>>> {
        let known = self.devices().into_iter().chain([own.clone()]).chain(devices()?);
        Ok(known.filter_map(|device| device.context().cloned()).collect())
    }

    /// Copies inputs that are elsewhere to where the kernel on `device` reads them.
    pub(super) fn transfer_inputs(
        &self,
        device: &Arc<dyn Device>,
        kernel: &PreparedKernel,
        inputs: &mut [Tensor],
    ) -> Result<()> {
        for (index, input) in inputs.iter_mut().enumerate() {
            match device.context().filter(|_| !kernel.host_memory().has_input(index)) {
                Some(context) if input.device() != Some(context.device()) => {
                    *input = transfer_to_device(input.clone(), context, &self.contexts(device)?)?;
                }
                None if input.is_on_device() => *input = transfer_to_host(input.clone(), &self.contexts(device)?)?,
                _ => {}
            }
        }
        Ok(())
    }
}
