//! NVIDIA's GPUs, by CUDA.
//!
//! The driver, the compiler NVRTC and the libraries cuBLASLt and cuDNN are looked for when they are needed; a program
//! that is built with this module starts without any of them. Without a driver there is no device. Without NVRTC,
//! programs run that were compiled before and kept on disk. Without cuBLASLt, kernels multiply matrices by programs of
//! their own, and without cuDNN they convolve by such; a device's description says which cuDNN there is.
//!
//! `oplink-cuda` has the driver's GPUs and the programs that are loaded on them. `driver` has every other call into
//! those libraries, `gemm` says how a row-major product looks to cuBLASLt, and `context` is the
//! [`DeviceContext`](oplink_api::device::DeviceContext).

mod context;
mod driver;
mod gemm;

use std::sync::Arc;

use oplink_api::Result;
use oplink_core::{Device, DeviceAttributes, DeviceName, DeviceOptions};
use oplink_cuda::{Facts, Gpu};

pub use context::{CudaDeviceContext, CudaGraph};

use crate::GPU;
use crate::device::GpuDevice;
use crate::lazy_context::Opened;

/// The GPUs that the options want; none where the machine has no driver or no GPU.
///
/// # Errors
/// There is a driver that does not work or is too old, a GPU cannot be used, or the options name one that does not
/// exist.
pub(crate) fn devices(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    let found = oplink_cuda::count()?;
    if found == 0 {
        return Ok(Vec::new());
    }
    let visible = options.visible_of(GPU, found)?;
    visible.into_iter().enumerate().map(|(index, ordinal)| device(index, ordinal, options)).collect()
}

/// Why there is no GPU where no error says so.
pub(crate) fn absence() -> String {
    match crate::libraries::refusal(oplink_cuda::LIBRARY) {
        Some(refusal) => format!("NVIDIA's driver is missing: {refusal}"),
        None => "NVIDIA's driver knows no GPU".to_owned(),
    }
}

fn device(index: usize, ordinal: usize, options: &DeviceOptions) -> Result<Arc<dyn Device>> {
    let name = DeviceName::local(GPU, index).to_string();
    let facts = Facts::of(ordinal, &name)?;
    let (limit, allow_growth) = (options.memory_limit_of(facts.memory)?, options.allow_growth);
    let mut attributes = DeviceAttributes::new(&name, GPU, limit as u64);
    attributes.locality = facts.numa_node;
    attributes.description = format!("{facts}, {}", convolutions());
    Ok(Arc::new(GpuDevice::new(attributes, move || {
        let gpu = Gpu::open(ordinal, name.clone(), facts.clone())?;
        let context = Arc::new(CudaDeviceContext::new(gpu, limit, allow_growth)?);
        Ok(Opened { memory: context.memory().clone(), context })
    })))
}

/// What a device's description says of the library for convolutions.
fn convolutions() -> String {
    match driver::cudnn_version() {
        Ok(version) => format!("cuDNN {version}"),
        Err(absence) => format!("no cuDNN: {absence}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_machine_without_a_driver_has_no_devices_and_says_so_at_once() {
        if oplink_cuda::is_present() {
            return;
        }
        let start = Instant::now();
        assert!(devices(&DeviceOptions::default()).expect("no error").is_empty());
        assert!(start.elapsed() < Duration::from_millis(50), "{:?}", start.elapsed());
    }
}
