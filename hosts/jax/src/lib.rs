//! Annotated ops as targets of XLA's foreign function interface, which JAX calls.
//!
//! `handler` gives the handler of an op, which the Python package registers; it also asks the plugin for the shapes of
//! outputs, which JAX wants while it traces, and for gradients. A handler finds its outputs' memory in the call frame,
//! reads attrs by their names, and answers XLA's question for its metadata. Nothing of XLA is linked or looked up: its
//! functions come with each call.
#![deny(unsafe_code)]

mod attrs;
mod buffers;
mod call;
mod dtypes;

pub use call::{JaxPlugin, handler};
pub use oplink_abi::xla_ffi::XLA_FFI_Handler as Handler;
