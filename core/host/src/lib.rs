//! The host's side of plugins: the C functions that a plugin calls, and the loader.
//!
//! Every exported function is one guard around an ordinary one: a panic becomes a status where the function has one,
//! and an answer that says "nothing" where it has none. Pointers are checked for null; beyond that a caller vouches for
//! its pointers, as in any C API: an object lives from its `New` to its `Delete`, and what a function lends lives as
//! long as the object that it came from.
#![deny(unsafe_code)]

pub mod absent;
pub mod buffer;
pub mod c_api;
pub mod datatype;
pub mod env;
mod exports;
pub mod function_library;
pub mod gradients;
pub mod guard;
mod handles;
pub mod kernels;
mod load;
pub mod ops;
pub mod status;
pub mod tensor;
pub mod tstring;

pub use exports::names as exported_names;
pub use load::{
    DeviceHost, PlatformInfo, PluginInfo, PluginPlatform, Strictness, inspect, load, load_library, register_device_host,
};
