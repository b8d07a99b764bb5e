//! The GPU device by Vulkan or by CUDA. A GPU is needed: Mesa's lavapipe, a Vulkan driver in software, is one.

extern crate oplink_api as oplink;
#[macro_use(test)]
extern crate oplink_test_harness;

#[cfg(feature = "cuda")]
mod convolution;
mod copies;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(feature = "cuda")]
mod graphs;
mod kernels;
mod launches;
mod memory;
mod process;
mod programs;
mod support;

oplink_test_harness::main!(Gpu);
