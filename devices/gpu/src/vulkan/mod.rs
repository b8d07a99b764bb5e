//! GPUs with a Vulkan driver, by wgpu.
//!
//! `adapters` and `heap` say what there is, `gpu` opens one and turns what wgpu reports into errors, `memory` holds its
//! memory, `lane` its queue. `programs` compiles, `launch` and `copies` put work into the queue, and `downloads` hands out
//! what comes back. A failure of work that was enqueued earlier is kept until the next copy to the host or the next
//! `synchronize`, which tells it.

mod adapters;
mod bindings;
mod context;
mod copies;
mod downloads;
mod gpu;
mod heap;
mod kept;
mod lane;
mod launch;
mod memory;
mod programs;
mod scalars;
mod timer;

use std::sync::Arc;

use oplink_api::{DeviceContext, Result};
use oplink_core::memory::{AllocatorOptions, DeviceAllocator};
use oplink_core::{Device, DeviceAttributes, DeviceName, DeviceOptions};

use crate::GPU;
use crate::device::GpuDevice;
use adapters::Found;
pub use context::{VulkanContext, VulkanCounts};
use downloads::Downloads;
use gpu::Gpu;
use lane::Lane;
use memory::{Buffers, Regions};
use programs::Programs;

/// What the context and its thread share. The order of the fields is that in which a device is taken down.
struct Shared {
    downloads: Downloads,
    programs: Programs,
    lane: Lane,
    memory: Arc<DeviceAllocator>,
    buffers: Arc<Buffers>,
    gpu: Arc<Gpu>,
}

/// The GPUs that the options want.
pub(crate) fn devices(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    let found = adapters::find();
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let used = options.visible_of(GPU, found.len())?;
    used.into_iter().enumerate().map(|(index, number)| open(index, &found[number], options)).collect()
}

fn open(index: usize, found: &Found, options: &DeviceOptions) -> Result<Arc<dyn Device>> {
    let name = DeviceName::local(GPU, index).to_string();
    let limit = options.memory_limit_of(heap::bytes(&found.adapter))?;
    let mut attributes = DeviceAttributes::new(&name, GPU, limit as u64);
    attributes.description = found.description();
    let gpu = Gpu::open(&name, found)?;
    let buffers = Buffers::new(gpu.clone());
    let bounds = AllocatorOptions { limit, allow_growth: options.allow_growth };
    let memory = Arc::new(DeviceAllocator::new(name, Regions(buffers.clone()), bounds));
    let shared = Shared {
        downloads: Downloads::default(),
        programs: Programs::new(gpu.clone()),
        lane: Lane::new(gpu.clone())?,
        memory: memory.clone(),
        buffers,
        gpu,
    };
    let context: Arc<dyn DeviceContext> = Arc::new(VulkanContext::new(shared)?);
    Ok(Arc::new(GpuDevice::new(attributes, memory, context)))
}
