//! TensorFlow's C API on oplink: graphs, sessions and eager calls for programs in any language.
#![deny(unsafe_code)]

pub use oplink_host as host;
