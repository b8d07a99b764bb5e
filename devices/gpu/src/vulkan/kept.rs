//! Pipelines on disk: what the driver made of a program, by the program's text and the driver.
#![allow(unsafe_code, reason = "room: data that goes back to the driver it came from")]

use oplink_api::Result;
use oplink_api::device::{DeviceProgram, ProgramCache};
use wgpu::{ComputePipeline, PipelineCache, PipelineCacheDescriptor};

use super::gpu::Gpu;

/// The pipelines on disk; none where the driver gives its data away to nobody.
pub(super) struct Kept {
    cache: Option<ProgramCache>,
}

impl Kept {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let is_possible = gpu.features.contains(wgpu::Features::PIPELINE_CACHE);
        Self { cache: is_possible.then(|| ProgramCache::new("vulkan")) }
    }

    /// Makes the program's pipeline with what is on disk, and puts it there where it was not.
    pub(super) fn with_cache(
        &self,
        gpu: &Gpu,
        program: &DeviceProgram,
        make: impl Fn(Option<&PipelineCache>) -> Result<ComputePipeline>,
    ) -> Result<ComputePipeline> {
        let Some(cache) = &self.cache else { return make(None) };
        let content = content(gpu, program);
        let data = cache.read(&content);
        let descriptor = PipelineCacheDescriptor { label: Some(program.name), data: data.as_deref(), fallback: true };
        // SAFETY: the data is whole, and what `get_data` gave for the same driver, which the content names.
        let of_driver = gpu.checked(|| unsafe { gpu.device.create_pipeline_cache(&descriptor) });
        let Ok(of_driver) = of_driver else { return make(None) };
        let pipeline = make(Some(&of_driver))?;
        if data.is_none()
            && let Some(data) = of_driver.get_data()
        {
            cache.write(&content, &data);
        }
        Ok(pipeline)
    }
}

/// All that a pipeline depends on.
fn content(gpu: &Gpu, program: &DeviceProgram) -> Vec<u8> {
    let wgpu::AdapterInfo { name, vendor, device, driver, driver_info, .. } = &gpu.info;
    let head =
        format!("{name}\n{vendor:x}:{device:x}\n{driver}\n{driver_info}\n{}\n{:?}\n", program.entry, program.params);
    [head.as_bytes(), program.wgsl.as_bytes()].concat()
}
