//! `tensorflow/c/eager/c_api_unified_experimental.h`: the same calls of ops, run at once or traced into a function.
//!
//! As in TensorFlow, an abstract tensor owns the eager handle that it was made of, lists do not own their tensors, and
//! [`function::TF_FinalizeFunction`] takes the context that it is given.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod context;
pub mod function;
pub mod op;
pub mod outputs;
pub mod tensor;
