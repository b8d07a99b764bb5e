//! The CPU: host memory that is reused, and the threads of the process's pool.
//!
//! A binary that links the crate has the device `/job:localhost/replica:0/task:0/device:CPU:0` among
//! [`oplink_core::devices`].
#![forbid(unsafe_code)]

use std::sync::Arc;

use oplink_api::descriptors::Location;
use oplink_api::tensor::Allocator;
use oplink_api::{KernelEnv, Result};
use oplink_core::memory::{HostAllocator, MemoryStatistics};
use oplink_core::{
    Device, DeviceAttributes, DeviceFactory, DeviceName, DeviceOptions, HostEnv, IntraOpPool, intra_op_pool,
};

/// The device type that kernels name.
pub const CPU: &str = "CPU";

/// The memory that the host reports, as TensorFlow does: no bound is known.
const HOST_MEMORY: u64 = 256 << 20;

/// A device of host memory and threads.
pub struct CpuDevice {
    attributes: DeviceAttributes,
    memory: Arc<HostAllocator>,
    allocator: Arc<dyn Allocator>,
    env: HostEnv,
}

impl CpuDevice {
    /// The device numbered `index`, with the process's pool of threads.
    ///
    /// # Errors
    /// The system refuses the pool's threads.
    pub fn new(index: usize) -> Result<Self> {
        Ok(Self::with_pool(index, intra_op_pool()?))
    }

    /// The device numbered `index`, with a pool of its own.
    pub fn with_pool(index: usize, pool: Arc<IntraOpPool>) -> Self {
        Self::with_memory(index, pool, HostAllocator::new(name_of(index)))
    }

    /// The device numbered `index`, with a pool and memory of its own.
    pub fn with_memory(index: usize, pool: Arc<IntraOpPool>, memory: HostAllocator) -> Self {
        let memory = Arc::new(memory);
        let allocator: Arc<dyn Allocator> = memory.clone();
        let env = HostEnv::new(Some(allocator.clone())).with_pool(pool, 0);
        let name = DeviceName::local(CPU, index).to_string();
        Self { attributes: DeviceAttributes::new(&name, CPU, HOST_MEMORY), memory, allocator, env }
    }

    /// The device's memory.
    pub fn memory(&self) -> &HostAllocator {
        &self.memory
    }
}

impl Device for CpuDevice {
    fn name(&self) -> &str {
        &self.attributes.name
    }

    fn device_type(&self) -> &str {
        CPU
    }

    fn attributes(&self) -> DeviceAttributes {
        self.attributes.clone()
    }

    fn env(&self) -> &dyn KernelEnv {
        &self.env
    }

    fn env_with_threads(&self, pool: &Arc<IntraOpPool>, threads: usize) -> Arc<dyn KernelEnv> {
        Arc::new(HostEnv::new(Some(self.allocator.clone())).with_pool(pool.clone(), threads))
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        Some(&self.allocator)
    }

    fn memory_statistics(&self) -> MemoryStatistics {
        self.memory.statistics()
    }

    fn release_unused_memory(&self) {
        self.memory.release_unused();
    }
}

/// The name of a device's memory.
fn name_of(index: usize) -> String {
    format!("CPU:{index}")
}

fn create(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    let device = |index| {
        let memory = HostAllocator::new(name_of(index));
        let memory = options.memory_limit.into_iter().fold(memory, HostAllocator::with_limit);
        Ok(Arc::new(CpuDevice::with_memory(index, intra_op_pool()?, memory)) as Arc<dyn Device>)
    };
    (0..options.count_or(CPU, 1)).map(device).collect()
}

/// Makes the process's CPU device, or as many as the options want; they share the host.
pub static FACTORY: DeviceFactory = DeviceFactory {
    device_type: CPU,
    priority: 70,
    on_host: true,
    create,
    location: Location {
        crate_name: env!("CARGO_PKG_NAME"),
        crate_version: env!("CARGO_PKG_VERSION"),
        file: file!(),
        line: line!(),
    },
};

oplink_core::register_device!(FACTORY);
