//! CUDA as kernels need it, whoever owns the GPU's memory and its streams.
//!
//! The driver and the compiler NVRTC are looked for when they are needed; a program that links this crate starts
//! without them. `driver` has every call into them. [`Programs`] turns texts into loaded functions, [`pack`] puts a
//! launch's values where the driver reads them. [`foreign`] is the
//! [`DeviceContext`](oplink_api::device::DeviceContext) over a stream of another framework of the process; the device
//! type `GPU`, with streams and memory of its own, is the crate `oplink-device-gpu`.
#![deny(unsafe_code)]

mod driver;
pub mod foreign;
mod headers;
mod programs;
mod slots;

pub use driver::{
    Facts, Function, Gpu, LIBRARY, Place, StreamRef, count, driver_error, in_device, is_present, to_device, to_host,
};
pub use programs::Programs;
pub use slots::{Slots, pack};

/// Blocks of a grid in each direction, of every GPU.
pub const MOST_BLOCKS: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];
