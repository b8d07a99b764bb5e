//! GPUs: one device type, `GPU`, served by CUDA or by Vulkan, whichever is present when the program starts.
//!
//! A binary that links the crate has the machine's GPUs among [`oplink_core::devices`], as
//! `/job:localhost/replica:0/task:0/device:GPU:0` and so on. CUDA is asked first; where it has no GPU, Vulkan is. The
//! environment's `OPLINK_GPU` says otherwise: `cuda`, `vulkan` or `off`. Where the machine has no GPU there is no
//! device, and that is no error. A GPU is opened when something is first done with it.
//!
//! Compiled programs are kept under `OPLINK_CACHE_DIR`, or else in the user's folder for caches.
#![deny(unsafe_code)]

mod choice;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod downloads;
mod lazy_context;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod libraries;
#[cfg(feature = "wgpu")]
mod vulkan;

pub use choice::{FACTORY, why_no_gpu};
#[cfg(feature = "cuda")]
pub use cuda::{CudaDeviceContext, CudaGraph};
#[cfg(feature = "wgpu")]
pub use vulkan::{VulkanContext, VulkanCounts};

/// The device type that kernels name.
pub const GPU: &str = "GPU";

oplink_core::register_device!(FACTORY);
