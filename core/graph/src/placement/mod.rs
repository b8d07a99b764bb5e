//! Placement: the device of each node, and copies of values between memories.
//!
//! `groups` finds the nodes that share a device and what they ask for together, `choose` gives each group the first
//! device that serves all of it. `memory` tells in which memory each value is and in which its readers want it,
//! `copies` adds a `_DeviceCopy` node where the two differ, `kernel` is that node's.

mod choose;
mod copies;
mod groups;
mod kernel;
mod memory;

use std::sync::Arc;

use oplink_api::device::DeviceContext;
use oplink_api::{Cancellation, Error, KernelEnv, Output, Result};
use oplink_core::{Device, DeviceName, HOST_DEVICE_TYPE, intra_op_pool};

use crate::Graph;
use crate::kernels::{Devices, Envs, Place, Placed, RecordWork, Results};
use crate::signature::Signature;

/// MultiDevicePlacer devices, those of the highest priority first.
pub(crate) struct MultiDevicePlacer {
    devices: Vec<Arc<dyn Device>>,
    /// The name of each.
    names: Vec<DeviceName>,
    /// Position of the one whose memory is the host's.
    host: usize,
    soft: bool,
}

impl MultiDevicePlacer {
    /// # Errors
    /// No device works in host memory; two have one name; a name is malformed.
    pub(crate) fn new(devices: Vec<Arc<dyn Device>>, soft: bool) -> Result<Self> {
        let names: Vec<DeviceName> =
            devices.iter().map(|device| DeviceName::parse(device.name())).collect::<Result<_>>()?;
        for (at, device) in devices.iter().enumerate() {
            if devices[..at].iter().any(|other| other.name() == device.name()) {
                return Err(Error::invalid_argument(format!("the device {} is given twice", device.name())));
            }
        }
        let host = host_of(&devices).ok_or_else(|| {
            let names: Vec<&str> = devices.iter().map(|device| device.name()).collect();
            let message = format!(
                "none of the devices [{}] works in host memory, where feeds come from and fetches go to: add the CPU",
                names.join(", ")
            );
            Error::not_found(message)
        })?;
        Ok(Self { devices, names, host, soft })
    }

    /// The context of a device with memory of its own.
    fn context(&self, device: usize) -> Option<&Arc<dyn DeviceContext>> {
        self.devices[device].context()
    }

    fn contexts(&self) -> Vec<Arc<dyn DeviceContext>> {
        self.devices.iter().filter_map(|device| device.context().cloned()).collect()
    }

    /// The names of some devices, for messages.
    fn listed(&self, positions: impl IntoIterator<Item = usize>) -> String {
        let names: Vec<&str> = positions.into_iter().map(|at| self.devices[at].name()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

/// The position of the device that stands for the host: the first CPU, or the first that works in host memory.
pub(crate) fn host_of(devices: &[Arc<dyn Device>]) -> Option<usize> {
    let in_host_memory = |device: &Arc<dyn Device>| device.context().is_none();
    let cpu = devices.iter().position(|device| in_host_memory(device) && device.device_type() == HOST_DEVICE_TYPE);
    cpu.or_else(|| devices.iter().position(in_host_memory))
}

impl Place for MultiDevicePlacer {
    fn place(
        &self,
        graph: &Graph,
        signature: &Signature,
        needed: &[u32],
        results: Results<'_>,
        cancellation: &Cancellation,
    ) -> Result<Placed> {
        let groups = groups::Groups::of(self, graph, signature, needed, results)?;
        cancellation.check()?;
        let chosen = self.choose(graph, signature, needed, &groups, cancellation)?;
        let copied = match self.devices.iter().any(|device| device.context().is_some()) {
            true => copies::insert(self, graph, signature, needed, &chosen, results, cancellation)?,
            false => None,
        };
        let mut devices = crate::graph::NodeMap::default();
        for &node in needed {
            if let Some(&device) = chosen.get(node) {
                devices.insert(node, self.devices[device].clone());
            }
        }
        Ok(Placed { copied, devices })
    }

    fn devices(&self) -> &[Arc<dyn Device>] {
        &self.devices
    }
}

/// MultiDevicePlacer devices for a session, of which kernels use at most so many threads; 0 means all. The
/// work of devices that can do so is recorded by `record`.
///
/// # Errors
/// As [`MultiDevicePlacer::new`]; the thread pool cannot be started.
pub(crate) fn on_several_devices(
    devices: Vec<Arc<dyn Device>>,
    threads: usize,
    soft: bool,
    record: Option<RecordWork>,
) -> Result<Devices> {
    let placer = MultiDevicePlacer::new(devices, soft)?;
    let pool = intra_op_pool()?;
    let host = placer.devices[placer.host].clone();
    let env = |device: &Arc<dyn Device>| device.env_with_threads(&pool, threads);
    let others = placer.devices.iter().enumerate().filter(|(at, _)| *at != placer.host);
    let others: Vec<(String, Arc<dyn KernelEnv>)> =
        others.map(|(_, device)| (device.name().to_owned(), env(device))).collect();
    let envs = Envs::new(env(&host), others);
    let pool = (envs.host().intra_op_threads() > 1).then_some(pool);
    Ok(Devices { host, envs, pool, soft, placer: Some(Box::new(placer)), record })
}

/// Whether an output is fed.
fn is_fed(signature: &Signature, output: Output) -> bool {
    signature.feeds.contains(&output)
}
