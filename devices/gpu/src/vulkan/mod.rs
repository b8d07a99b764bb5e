//! GPUs with a Vulkan driver, by wgpu.
//!
//! `adapters` and `heap` say what there is, `gpu` opens one and turns what wgpu reports into errors, `memory` holds its
//! memory, `command_queue` its queue. `programs` compiles, `launch` and `copies` put work into the queue, and
//! `downloads` hands out what comes back. A failure of work that was enqueued earlier is kept until the next copy to
//! the host or the next `synchronize`, which tells it.

mod adapters;
mod bindings;
mod command_queue;
mod context;
mod copies;
mod downloads;
mod gpu;
mod heap;
mod kept;
mod launch;
mod memory;
mod programs;
mod scalars;
mod timer;

use std::sync::{Arc, Mutex};

use oplink_api::Result;
use oplink_api::device::DeviceContext;
use oplink_core::memory::{AllocatorOptions, DeviceAllocator};
use oplink_core::{Device, DeviceAttributes, DeviceName, DeviceOptions};
use wgpu::Buffer;

use crate::GPU;
use crate::device::GpuDevice;
use crate::downloads::Downloads;
use crate::lazy_context::Opened;
use adapters::Found;
use command_queue::CommandQueue;
pub use context::{VulkanContext, VulkanCounts};
use downloads::Download;
use gpu::Gpu;
use memory::{Buffers, Regions};
use programs::Programs;

/// What the context and its thread share. The order of the fields is that in which a device is taken down.
struct Shared {
    downloads: Downloads<Download>,
    /// Buffers that the host can map, for copies to it.
    spare: Mutex<Vec<Buffer>>,
    programs: Programs,
    queue: CommandQueue,
    memory: Arc<DeviceAllocator>,
    buffers: Arc<Buffers>,
    gpu: Arc<Gpu>,
}

/// The GPUs that the options want.
pub(crate) fn devices(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    let found: Vec<Arc<Found>> = adapters::find().into_iter().map(Arc::new).collect();
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let used = options.visible_of(GPU, found.len())?;
    used.into_iter().enumerate().map(|(index, number)| device(index, found[number].clone(), options)).collect()
}

/// Why there is no GPU where no error says so.
pub(crate) fn absence() -> String {
    let library = if cfg!(windows) { "vulkan-1.dll" } else { "libvulkan.so.1" };
    match crate::libraries::refusal(library) {
        Some(refusal) => format!("Vulkan's loader is missing: {refusal}"),
        None => format!("Vulkan's loader {library} is there, and finds no driver of a GPU"),
    }
}

fn device(index: usize, found: Arc<Found>, options: &DeviceOptions) -> Result<Arc<dyn Device>> {
    let name = DeviceName::local(GPU, index).to_string();
    let limit = options.memory_limit_of(heap::bytes(&found.adapter))?;
    let mut attributes = DeviceAttributes::new(&name, GPU, limit as u64);
    attributes.description = found.description();
    let bounds = AllocatorOptions { limit, allow_growth: options.allow_growth };
    Ok(Arc::new(GpuDevice::new(attributes, move || {
        let shared = Shared::new(Gpu::open(&name, &found)?, bounds)?;
        let memory = shared.memory.clone();
        let context: Arc<dyn DeviceContext> = Arc::new(VulkanContext::new(shared)?);
        Ok(Opened { memory, context })
    })))
}

impl Shared {
    fn new(gpu: Arc<Gpu>, bounds: AllocatorOptions) -> Result<Self> {
        let buffers = Buffers::new(gpu.clone());
        let memory = DeviceAllocator::new(gpu.name.clone(), Regions(buffers.clone()), bounds);
        Ok(Self {
            downloads: Downloads::default(),
            spare: Mutex::default(),
            programs: Programs::new(gpu.clone()),
            queue: CommandQueue::new(gpu.clone())?,
            memory: Arc::new(memory),
            buffers,
            gpu,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_api::device::copy_to_host_blocking;
    use oplink_api::{Code, DType, Error, Shape, Tensor};

    fn check_lost(error: &Error) {
        assert_eq!(error.code(), Code::Unavailable, "{error}");
        assert!(error.to_string().contains("device:GPU:0: the GPU was lost"), "{error}");
    }

    /// The first GPU; `None` where there is none, unless `OPLINK_REQUIRE` names it: these tests cannot be ignored when
    /// they run.
    fn open_first() -> Result<Option<(Arc<Gpu>, VulkanContext)>> {
        let found = adapters::find();
        let Some(first) = found.first() else {
            let required = std::env::var("OPLINK_REQUIRE").unwrap_or_default();
            let missing = "no GPU: install mesa-vulkan-drivers and libvulkan1";
            assert!(!required.split(',').any(|name| name == "gpu"), "{missing}");
            eprintln!("not run: {missing}");
            return Ok(None);
        };
        let gpu = Gpu::open(&DeviceName::local(GPU, 0).to_string(), first)?;
        let bounds = AllocatorOptions { limit: 1 << 28, allow_growth: true };
        Ok(Some((gpu.clone(), VulkanContext::new(Shared::new(gpu, bounds)?)?)))
    }

    #[test]
    fn memory_goes_back_to_the_driver() -> Result<()> {
        let Some((gpu, context)) = open_first()? else { return Ok(()) };
        let held = || gpu.device.generate_allocator_report().map_or(0, |report| report.total_allocated_bytes);
        let host = Tensor::zeros(DType::Float, Shape::new(&[4 << 20]))?;
        let copies: Vec<Tensor> =
            (0..3).map(|_| context.copy_in_device(&context.copy_to_device(&host)?)).collect::<Result<_>>()?;
        context.synchronize()?;
        assert!(held() >= 48 << 20, "{}", held());
        drop(copies);
        context.memory().release_unused();
        context.synchronize()?;
        assert!(held() < 16 << 20, "{} bytes are held", held());
        Ok(())
    }

    #[test]
    fn a_lost_gpu_is_an_error_and_nobody_waits_for_it() -> Result<()> {
        let Some((gpu, context)) = open_first()? else { return Ok(()) };
        let host = Tensor::zeros(DType::Float, Shape::new(&[1000]))?;
        let there = context.copy_to_device(&host)?;
        let again = context.copy_in_device(&there)?;
        gpu.device.destroy();
        check_lost(&copy_to_host_blocking(&context, &again).expect_err("an error"));
        check_lost(&context.copy_to_device(&host).expect_err("an error"));
        check_lost(&context.copy_in_device(&there).expect_err("an error"));
        check_lost(&context.synchronize().expect_err("an error"));
        assert!(context.allocate(DType::Float, Shape::new(&[1 << 25])).is_err());
        Ok(())
    }
}
