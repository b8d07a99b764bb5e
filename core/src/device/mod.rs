//! Devices: where kernels run, and how crates that have one make it known.

mod attributes;
pub(crate) mod collected;
mod detached_drop;
mod helper_thread;
mod list;
mod name;
mod options;

use std::sync::Arc;

use oplink_api::descriptors::Location;
use oplink_api::device::DeviceContext;
use oplink_api::tensor::Allocator;
use oplink_api::{KernelEnv, Result};

pub use attributes::DeviceAttributes;
pub use detached_drop::{DetachedDrop, LONGEST_END};
pub use helper_thread::HelperThread;
pub use list::{add_devices, create_devices, device_of_type, devices, devices_with, host_device};
pub use name::DeviceName;
pub use options::DeviceOptions;

use crate::IntraOpPool;
use crate::memory::MemoryStatistics;

/// The type of the devices whose memory is the host's: where values are computed ahead of runs, and where sessions run
/// that ask for nothing else.
pub const HOST_DEVICE_TYPE: &str = "CPU";

/// A place where kernels run: memory and threads.
pub trait Device: Send + Sync {
    /// Full name, such as `/job:localhost/replica:0/task:0/device:CPU:0`.
    fn name(&self) -> &str;

    /// The type that kernels are declared for, such as `CPU`.
    fn device_type(&self) -> &str;

    /// What the device tells of itself; the same at each call.
    fn attributes(&self) -> DeviceAttributes;

    /// What a step gives the kernels on this device.
    fn env(&self) -> &dyn KernelEnv;

    /// As [`Device::env`], with at most `threads` threads of `pool`.
    fn env_with_threads(&self, pool: &Arc<IntraOpPool>, threads: usize) -> Arc<dyn KernelEnv>;

    /// The queue of work and the memory of the device; `None` where kernels work in host memory. Its environments give
    /// the same one.
    fn context(&self) -> Option<&Arc<dyn DeviceContext>> {
        None
    }

    /// The allocator of host tensors; `None` for the system's.
    fn allocator(&self) -> Option<&Arc<dyn Allocator>>;

    /// How much of the device's memory is in use, was at most, and is held.
    fn memory_statistics(&self) -> MemoryStatistics;

    /// Gives memory that is held but not in use back to the system.
    fn release_unused_memory(&self) {}
}

/// What a device crate declares: makes the devices of one type.
#[derive(Debug)]
pub struct DeviceFactory {
    /// The type of the devices.
    pub device_type: &'static str,
    /// Devices of the highest priority come first: nodes without a device go there.
    pub priority: i32,
    /// Whether the devices work in host memory. Those are made without asking the other factories, so that a program
    /// which names no device does not wait for drivers.
    pub on_host: bool,
    /// Makes the devices that there are and that the options want; none where the machine has none. What takes long is
    /// left to the first use of a device.
    pub create: fn(&DeviceOptions) -> Result<Vec<Arc<dyn Device>>>,
    /// Where the factory is declared.
    pub location: Location,
}
