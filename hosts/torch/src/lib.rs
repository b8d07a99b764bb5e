//! Annotated ops as ops of PyTorch, by its stable C ABI (2.10 and newer).
//!
//! `register` defines each op of a plugin, with a schema made of the declaration, and a boxed kernel for the dispatch
//! key `CPU`. libtorch is not linked: its functions are looked up where the library is loaded, so that the same file
//! loads into other hosts. Meta kernels and gradients are registered by the Python package, which asks the plugin for
//! shapes and for the nodes of gradients.
//!
//! An error becomes an exception of C++, which libtorch throws and which passes through the boxed kernel.
#![deny(unsafe_code)]

mod call;
#[cfg(feature = "gpu")]
mod cuda;
mod dtypes;
mod functions;
mod parallel;
mod register;
mod schema;
mod stack;
mod tensors;

pub use register::{TorchPlugin, on_load, register, schema_text};
