//! Annotated ops as targets of XLA's foreign function interface, which JAX calls.
//!
//! `handler` gives the handler of an op, which the Python package registers; it also asks the plugin for the shapes of
//! outputs, which JAX wants while it traces, and for gradients. A handler finds its outputs' memory in the call frame,
//! reads attrs by their names, and answers XLA's question for its metadata. With the feature `gpu` there is a handler
//! for the platform CUDA too, which enqueues the op's kernel for GPUs on the stream of the call. Nothing of XLA is
//! linked or looked up: its functions come with each call.
#![deny(unsafe_code)]

mod attrs;
mod buffers;
mod call;
#[cfg(feature = "gpu")]
mod cuda;
mod dtypes;

pub use call::{JaxPlugin, handler};
#[cfg(feature = "gpu")]
pub use cuda::cuda_handler;
pub use oplink_abi::xla_ffi::XLA_FFI_Handler as Handler;
