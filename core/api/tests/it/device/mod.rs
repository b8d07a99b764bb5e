//! Tensors in a device's memory: what the host may do with them, and what kernels on the device get.

mod convolution;
mod fake;
mod kernels;
mod matmul;
mod tensors;
