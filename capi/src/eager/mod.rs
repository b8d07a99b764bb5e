//! `TFE_*`: ops that run at once.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod attr_kinds;
pub mod cancellation;
pub mod cluster;
pub mod context;
mod context_devices;
pub mod context_options;
pub mod custom;
pub mod debug_info;
mod device_set;
pub mod execute;
pub mod executors;
pub mod functions;
pub mod handle;
pub mod infer_shapes;
pub mod inputs;
pub mod op;
pub mod op_attrs;
pub mod packed;
mod place;
pub mod run_metadata;
pub mod settings;
pub mod tensors;
mod value;

pub(crate) use context::Context;
pub(crate) use op::EagerOp;
pub(crate) use value::Handle;
