//! The kernels on a device, against those of the CPU.
//!
//! A GPU is needed: Mesa's lavapipe, a Vulkan driver in software, is one.

mod array;
#[path = "../../../../tests/it/arrays.rs"]
#[allow(dead_code, reason = "the models on a GPU need a part of it")]
mod arrays;
mod control_flow;
mod linalg;
mod math;
mod models;
mod nn;
mod programs;
mod random;
mod reduction;
mod scattering;
mod state;
mod support;
mod training;
