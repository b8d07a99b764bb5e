//! What authors of plugins build on: the annotated ops and kernels of a crate, in a library that oplink and TensorFlow
//! load. The host is reached through its C functions only.
#![deny(unsafe_code)]

pub use oplink_api as api;
