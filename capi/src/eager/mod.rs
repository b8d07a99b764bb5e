//! `TFE_*`: ops that run at once.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod attr_kinds;
pub mod context;
pub mod context_options;
pub mod debug_info;
pub mod execute;
pub mod functions;
pub mod handle;
pub mod inputs;
pub mod op;
mod place;
pub mod run_metadata;

pub(crate) use context::Context;
pub(crate) use handle::Handle;
pub(crate) use op::EagerOp;
