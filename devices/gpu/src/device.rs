//! A GPU, as the runtime sees it.

use std::sync::Arc;

use oplink_api::{Allocator, DeviceContext, KernelEnv};
use oplink_core::memory::{DeviceAllocator, HostAllocator, MemoryStatistics};
use oplink_core::{Device, DeviceAttributes, HostEnv, IntraOpPool};

use crate::GPU;

/// A device of either interface: its queue and memory are the interface's; what kernels keep on the host is in memory of
/// its own allocator.
pub(crate) struct GpuDevice {
    attributes: DeviceAttributes,
    memory: Arc<DeviceAllocator>,
    context: Arc<dyn DeviceContext>,
    allocator: Arc<dyn Allocator>,
    env: HostEnv,
}

impl GpuDevice {
    /// The device of these attributes, whose context allocates from `memory`.
    pub(crate) fn new(
        attributes: DeviceAttributes,
        memory: Arc<DeviceAllocator>,
        context: Arc<dyn DeviceContext>,
    ) -> Self {
        let allocator: Arc<dyn Allocator> = Arc::new(HostAllocator::new("host memory of GPU"));
        let env = HostEnv::new(Some(allocator.clone())).with_device(context.clone());
        Self { attributes, memory, context, allocator, env }
    }
}

impl Device for GpuDevice {
    fn name(&self) -> &str {
        &self.attributes.name
    }

    fn device_type(&self) -> &str {
        GPU
    }

    fn attributes(&self) -> DeviceAttributes {
        self.attributes.clone()
    }

    fn env(&self) -> &dyn KernelEnv {
        &self.env
    }

    fn env_with_threads(&self, pool: &Arc<IntraOpPool>, threads: usize) -> Arc<dyn KernelEnv> {
        Arc::new(self.env.clone().with_pool(pool.clone(), threads))
    }

    fn context(&self) -> Option<&Arc<dyn DeviceContext>> {
        Some(&self.context)
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
