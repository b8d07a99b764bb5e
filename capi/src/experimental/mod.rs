//! What `tensorflow/c/c_api_experimental.h` declares beside the rest of the API.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod attr_builder;
pub mod checkpoints;
pub mod collectives;
pub mod configs;
pub mod debug_strings;
pub mod named_tensors;
pub mod process;
pub mod scalars;
pub mod shapes_and_types;
pub mod xla;
