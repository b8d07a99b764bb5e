//! The devices of a context: which there are, and tensors on their way between them.

use std::ffi::c_int;
use std::sync::{Arc, PoisonError};

use oplink_abi::TFE_TensorHandle;
use oplink_api::{Error, Result, Tensor, ensure};
use oplink_core::{Device, DeviceName, DeviceOptions, devices_with};
use oplink_graph::eager::{PendingTensor, QueuedCall};

use super::Context;
use super::custom::{self, CustomDevice};
use super::value::Handle;
use crate::support::c_string;

/// The most CPU devices that a context can be given.
const MAX_LOGICAL_CPUS: c_int = 1024;

impl Context {
    /// The first device that a name, which may leave parts out, means.
    ///
    /// # Errors
    /// There is none; the message lists those there are.
    pub(super) fn device(&self, wanted: &str, function: &str) -> Result<Arc<dyn Device>> {
        let found = self.eager().device_named(&self.devices().local_name(wanted));
        found.map_err(|error| Error::new(error.code(), error.kind(), format!("{function}: {}", error.message())))
    }

    /// The device that a client registered under this name.
    pub(super) fn custom_device(&self, name: &str) -> Option<Arc<CustomDevice>> {
        let devices = self.0.custom_devices.read().unwrap_or_else(PoisonError::into_inner);
        devices.iter().find(|device| device.name().to_bytes() == name.as_bytes()).cloned()
    }

    /// Registers a client's device.
    pub(super) fn add_custom_device(&self, device: CustomDevice) {
        self.0.custom_devices.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(device));
    }

    /// A handle of a tensor on a device, of the process or a client's. Where the executor of this thread queues calls,
    /// it queues the copy.
    pub(super) fn copy_to_device(
        &self,
        handle: &Arc<Handle>,
        wanted: &str,
        function: &str,
    ) -> Result<*mut TFE_TensorHandle> {
        if let Some(target) = self.custom_device(wanted) {
            return target.copy_to(handle);
        }
        if let Some(source) = custom::device_of(handle) {
            return source.copy_from(handle, &c_string(wanted));
        }
        let device = self.device(wanted, function)?;
        let executor = self.executors().current();
        if !executor.is_async() {
            let tensor = self.on_device(handle, &device)?;
            return Ok(Handle::made(tensor, Some(device), self.devices()).into_raw());
        }
        let output = PendingTensor::new(handle.dtype(), Some(device.clone()));
        let (context, source) = (self.clone(), handle.clone());
        executor.add(QueuedCall::new(vec![output.clone()], move || Ok(vec![context.on_device(&source, &device)?])))?;
        Ok(Handle::pending(output, self.devices()).into_raw())
    }

    /// The tensor of a handle in the memory of a device.
    fn on_device(&self, handle: &Arc<Handle>, device: &Arc<dyn Device>) -> Result<Tensor> {
        let tensor = handle.tensor()?;
        match tensor.device() {
            Some(place) if place == device.name() => Ok(tensor),
            _ => self.eager().to_device(device, &Handle::on_host(handle)?),
        }
    }

    /// The part of the host's name before `/device:`.
    pub(super) fn address_space(&self) -> String {
        let name = self.host_name();
        name.split_once("/device:").map_or(name.as_str(), |(space, _)| space).to_owned()
    }

    /// The name by which clients know the host's device.
    pub(super) fn host_name(&self) -> String {
        self.devices().public_name(self.eager().device().name())
    }

    /// Makes the process a task, whose devices clients know by its name.
    pub(super) fn set_task(&self, task: DeviceName) {
        let mut devices = self.0.devices.write().unwrap_or_else(PoisonError::into_inner);
        *devices = Arc::new(devices.of_task(task));
    }

    /// Adds CPU devices until there are so many.
    pub(super) fn set_logical_cpus(&self, count: c_int, prefix: &str, function: &str) -> Result<()> {
        let own = self.address_space();
        ensure!(
            prefix.is_empty() || prefix == own,
            "{function}: `prefix` is `{}`, and devices of this process are named `{own}`",
            prefix.escape_debug()
        );
        ensure!((0..=MAX_LOGICAL_CPUS).contains(&count), "{function}: {count} devices; at most {MAX_LOGICAL_CPUS}");
        let host = self.eager().device().device_type();
        let wanted = DeviceOptions { count: [(host.to_owned(), count as usize)].into(), ..DeviceOptions::default() };
        let is_new = |device: &Arc<dyn Device>| device.device_type() == host && !device.name().ends_with(":0");
        let added: Vec<_> = devices_with(&wanted)?.into_iter().filter(is_new).collect();
        let mut devices = self.0.devices.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = added.iter().find(|added| devices.iter().any(|device| device.name() == added.name())) {
            return Err(Error::invalid_argument(format!("{function}: there is a device {} already", known.name())));
        }
        let all: Vec<_> = devices.iter().cloned().chain(added).collect();
        self.functions().use_devices(all.clone(), self.0.threads)?;
        self.eager().choose_among(all.clone());
        self.eager().clear_kernels();
        *devices = Arc::new(devices.with_devices(all));
        Ok(())
    }
}
