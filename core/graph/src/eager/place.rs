//! Where a call runs. As in TensorFlow: where a resource is that it takes; else on the device that is asked for; else
//! on the first device that has a kernel for it.

use std::sync::Arc;

use oplink_api::{DType, Error, ErrorKind, Result, Tensor};
use oplink_core::{Device, DeviceName, PreparedKernel};

use super::call::{EagerCall, Placed, node_of_call, place_of};
use super::context::EagerContext;
use super::signature::Signature;

/// Names of devices that are kept with the devices that they mean.
const MAX_NAMED: usize = 15;

impl EagerContext {
    /// The kernel for a call: of the device of a resource that the call takes; else of the device `wanted`; else of the
    /// first that has one among the devices that the context chooses from (see [`EagerContext::choose_among`]), and in
    /// the end of the context's own. A context that chooses from none looks at the devices in whose memory inputs lie.
    /// Calls of functions are on the context's own device: their nodes are placed one by one.
    ///
    /// # Errors
    /// As [`EagerContext::prepare_call`]. Where the wanted device has no kernel, the error names the devices that have
    /// one; with soft placement ([`EagerContext::set_soft_placement`]) the call is on the context's own then.
    pub fn place(&self, call: &EagerCall<'_>, wanted: Option<&Arc<dyn Device>>) -> Result<Placed> {
        let chosen = if self.chooses() { self.chosen() } else { None };
        let elsewhere = chosen.is_none() && call.inputs.iter().any(|input| self.is_elsewhere(input));
        let candidates = match (chosen, wanted) {
            (Some(chosen), _) => chosen,
            (None, _) if elsewhere => self.devices_of_inputs(call.inputs)?,
            (None, None) => return self.on_own(call),
            (None, Some(_)) => Arc::default(),
        };
        if let Some(place) = call.resource_place() {
            if place == self.device().name() {
                return self.on_own(call);
            }
            if let Some(device) = candidates.iter().find(|device| device.name() == place) {
                return self.on_this(call, device, "where its resource is");
            }
        }
        match wanted {
            Some(device) => self.on_this(call, device, "which was asked for"),
            None => self.on_first(call, &candidates),
        }
    }

    /// On no other device, unless placement is soft.
    fn on_this(&self, call: &EagerCall<'_>, device: &Arc<dyn Device>, why: &str) -> Result<Placed> {
        match self.on_one(call, device) {
            Err(error) if lacks_kernel(&error) && self.is_soft() => self.on_own(call),
            Err(error) if lacks_kernel(&error) => Err(self.not_there(error, call, device, why)),
            placed => placed,
        }
    }

    fn on_first(&self, call: &EagerCall<'_>, candidates: &[Arc<dyn Device>]) -> Result<Placed> {
        for device in candidates.iter().take_while(|device| !self.is_own(device)) {
            match self.on_one(call, device) {
                Err(error) if lacks_kernel(&error) => {}
                placed => return placed,
            }
        }
        self.on_own(call)
    }

    fn on_one(&self, call: &EagerCall<'_>, device: &Arc<dyn Device>) -> Result<Placed> {
        if self.is_own(device) || self.registry().get_op(call.op).is_none() {
            return self.on_own(call);
        }
        let kernel = self.kernel_of(call, device)?;
        Ok(Placed { kernel, device: Some(device.clone()) })
    }

    fn on_own(&self, call: &EagerCall<'_>) -> Result<Placed> {
        Ok(Placed { kernel: self.kernel_of(call, self.device())?, device: None })
    }

    fn kernel_of(&self, call: &EagerCall<'_>, device: &Arc<dyn Device>) -> Result<Arc<PreparedKernel>> {
        let EagerCall { op, name, dtypes, lengths, attrs, .. } = *call;
        match name {
            Some(name) => {
                let signature = Signature { op, dtypes, lengths, attrs };
                let node = node_of_call(self.registry().op(op)?, name, device.name(), &signature)?;
                PreparedKernel::new(self.registry(), Arc::new(node), device.device_type()).map(Arc::new)
            }
            None if self.is_own(device) => self.prepare_call(op, dtypes, lengths, attrs),
            None => self.prepare_call_on(device, op, dtypes, lengths, attrs),
        }
    }

    fn is_own(&self, device: &Arc<dyn Device>) -> bool {
        Arc::ptr_eq(device, self.device())
    }

    /// Whether an input is at another device than the context's own.
    #[inline]
    fn is_elsewhere(&self, input: &Tensor) -> bool {
        (input.is_on_device() || input.dtype() == DType::Resource)
            && place_of(input).is_some_and(|place| !place.is_empty() && place != self.device().name())
    }

    /// The known devices where inputs are, those of the highest priority first.
    fn devices_of_inputs(&self, inputs: &[Tensor]) -> Result<Arc<[Arc<dyn Device>]>> {
        let is_there = |device: &Arc<dyn Device>| inputs.iter().any(|input| place_of(input) == Some(device.name()));
        Ok(self.known_devices()?.into_iter().filter(is_there).collect())
    }

    /// The device that a call asks for by name.
    ///
    /// # Errors
    /// There is none, and placement is not soft.
    pub(super) fn wanted_device(&self, op: &str, wanted: &DeviceName) -> Result<Arc<dyn Device>> {
        match self.device_of(wanted) {
            Ok(device) => Ok(device),
            Err(_) if self.is_soft() => Ok(self.device().clone()),
            Err(error) => Err(error.context(format!("op {op} was asked to run there"))),
        }
    }

    /// The first device that a name, which may leave parts out, means: among those that the context chooses from; where
    /// it chooses from none, its own, those that calls were made on, and those of the process.
    ///
    /// # Errors
    /// The text is no device name, or there is no such device; the message lists those there are.
    pub fn device_named(&self, name: &str) -> Result<Arc<dyn Device>> {
        self.device_of(&DeviceName::parse(name)?)
    }

    fn device_of(&self, wanted: &DeviceName) -> Result<Arc<dyn Device>> {
        if let Some(found) = self.named().iter().find(|(name, _)| name == wanted) {
            return Ok(found.1.clone());
        }
        let devices = self.known_devices()?;
        let means =
            |device: &&Arc<dyn Device>| DeviceName::parse(device.name()).is_ok_and(|full| wanted.matches(&full));
        let found = devices.iter().find(means).cloned().ok_or_else(|| {
            Error::invalid_argument(format!("there is no device `{wanted}`, there is {}", names(&devices)))
        })?;
        let mut named = self.named();
        named.truncate(MAX_NAMED);
        named.insert(0, (wanted.clone(), found.clone()));
        Ok(found)
    }

    /// The error of a call on a device that has no kernel for it.
    #[cold]
    fn not_there(&self, error: Error, call: &EagerCall<'_>, device: &Arc<dyn Device>, why: &str) -> Error {
        let has_kernel = |device: &Arc<dyn Device>| self.on_one(call, device).is_ok();
        let able: Vec<_> = self.known_devices().unwrap_or_default().into_iter().filter(has_kernel).collect();
        let able = if able.is_empty() { "no device".to_owned() } else { names(&able) };
        let (op, device) = (call.op, device.name());
        error.context(format!("op {op} cannot run on {device}, {why}; with these dtypes and attrs {able} can run it"))
    }
}

fn names(devices: &[Arc<dyn Device>]) -> String {
    let names: Vec<String> = devices.iter().map(|device| format!("`{}`", device.name())).collect();
    names.join(", ")
}

fn lacks_kernel(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NoMatchingKernel | ErrorKind::NotLinked)
}
