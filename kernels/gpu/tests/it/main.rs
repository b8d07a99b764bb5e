//! The kernels on a device, against those of the CPU.
//!
//! A GPU is needed: Mesa's lavapipe, a Vulkan driver in software, is one.

#[macro_use(test)]
extern crate oplink_test_harness;

mod array;
#[path = "../../../../tests/it/arrays.rs"]
#[allow(dead_code, reason = "the models on a GPU need a part of it")]
mod arrays;
mod chains;
mod control_flow;
mod diagonals;
mod image;
mod linalg;
mod math;
mod models;
mod nn;
mod programs;
mod random;
mod recorded;
mod reduction;
mod scatter;
mod segments;
mod sparse;
mod state;
mod support;
mod training;

oplink_test_harness::main!(Gpu);
