//! A plugin's device, as the runtime sees it.

use std::sync::Arc;

use oplink_api::device::DeviceContext;
use oplink_api::tensor::Allocator;
use oplink_api::{KernelEnv, Result};
use oplink_core::memory::{HostAllocator, MemoryStatistics};
use oplink_core::{Device, DeviceAttributes, DeviceOptions, HostEnv, IntraOpPool};

use crate::context::StreamExecutorContext;
use crate::executor::Executor;

/// A device of a [`Platform`](crate::Platform): its memory and its queue are the plugin's; what kernels keep on the
/// host is in memory of its own allocator.
pub struct PluggableDevice {
    attributes: DeviceAttributes,
    allocator: Arc<dyn Allocator>,
    env: HostEnv,
    own: Arc<StreamExecutorContext>,
    context: Arc<dyn DeviceContext>,
}

impl PluggableDevice {
    pub(crate) fn new(executor: Arc<Executor>, options: &DeviceOptions) -> Result<Self> {
        let (name, facts) = (executor.name().to_owned(), executor.facts());
        let device_type = executor.platform().device_type().to_owned();
        let own = Arc::new(StreamExecutorContext::new(executor, options)?);
        let mut attributes = DeviceAttributes::new(&name, &device_type, own.memory_limit() as u64);
        attributes.locality = facts.numa_node.unwrap_or(0);
        attributes.description = facts.to_string();
        let allocator: Arc<dyn Allocator> = Arc::new(HostAllocator::new(format!("host memory of {device_type}")));
        let context: Arc<dyn DeviceContext> = own.clone();
        let env = HostEnv::new(Some(allocator.clone())).with_device(context.clone());
        Ok(Self { attributes, allocator, env, own, context })
    }
}

impl Device for PluggableDevice {
    fn name(&self) -> &str {
        &self.attributes.name
    }

    fn device_type(&self) -> &str {
        &self.attributes.device_type
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
        self.own.memory_statistics()
    }

    fn release_unused_memory(&self) {
        self.own.release_unused_memory();
    }
}
