//! The kernels on a device, against those of the CPU.
//!
//! A GPU is needed: Mesa's lavapipe, a Vulkan driver in software, is one.

mod array;
mod control_flow;
mod linalg;
mod math;
mod nn;
mod programs;
mod random;
mod reduction;
mod state;
mod support;
mod training;
