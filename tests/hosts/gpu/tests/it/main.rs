//! Kernels for GPUs, called as PyTorch, JAX and ONNX Runtime call them, and held against the CPU's.

#[macro_use(test)]
extern crate oplink_test_harness;

mod jax;
mod onnxruntime;
mod torch;

oplink_test_harness::main!(Cuda);
