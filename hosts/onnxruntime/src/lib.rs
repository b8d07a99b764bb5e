//! Annotated ops as custom ops of ONNX Runtime (1.17 and newer).
//!
//! `register` is a plugin's `RegisterCustomOps`. ONNX Runtime chooses kernels by dtypes, so each op is registered once
//! for each combination of dtypes that its kernels serve. A node's kernel is prepared when the session is made, with
//! the node's attrs; shapes are inferred by the op's shape function. Nothing is linked or looked up: ONNX Runtime
//! passes its table of functions. With the feature `gpu`, ops with kernels for GPUs are registered for the execution
//! provider of CUDA too.
#![deny(unsafe_code)]

mod attrs;
mod combinations;
#[cfg(feature = "gpu")]
mod cuda;
mod dtypes;
mod functions;
mod infer;
mod kernel;
mod op;
mod register;
mod values;

pub use oplink_abi::onnxruntime::{OrtApiBase, OrtSessionOptions, OrtStatus};
pub use register::register;
