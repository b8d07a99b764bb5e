//! A GPU, as the runtime sees it.

use std::sync::Arc;

use oplink_api::device::DeviceContext;
use oplink_api::tensor::Allocator;
use oplink_api::{KernelEnv, Result};
use oplink_core::memory::{HostAllocator, MemoryStatistics};
use oplink_core::{Device, DeviceAttributes, HostEnv, IntraOpPool};

use crate::GPU;
use crate::lazy_context::{LazyContext, Opened};

/// A device of either interface: its queue and memory are the interface's; what kernels keep on the host is in memory
/// of its own allocator.
pub(crate) struct GpuDevice {
    attributes: DeviceAttributes,
    own: Arc<LazyContext>,
    context: Arc<dyn DeviceContext>,
    allocator: Arc<dyn Allocator>,
    env: HostEnv,
}

impl GpuDevice {
    /// The device of these attributes, which `open` opens when something is first done with it.
    pub(crate) fn new(attributes: DeviceAttributes, open: impl Fn() -> Result<Opened> + Send + Sync + 'static) -> Self {
        let own = Arc::new(LazyContext::new(&attributes.name, open));
        let context: Arc<dyn DeviceContext> = own.clone();
        let allocator: Arc<dyn Allocator> = Arc::new(HostAllocator::new("host memory of GPU"));
        let env = HostEnv::new(Some(allocator.clone())).with_device(context.clone());
        Self { attributes, own, context, allocator, env }
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
        let limit = usize::try_from(self.attributes.memory_limit).ok();
        let none_yet = || MemoryStatistics { limit, ..MemoryStatistics::default() };
        self.own.memory().map_or_else(none_yet, |memory| memory.statistics())
    }

    fn release_unused_memory(&self) {
        if let Some(memory) = self.own.memory() {
            memory.release_unused();
        }
    }
}
