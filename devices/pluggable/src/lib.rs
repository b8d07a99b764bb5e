//! Devices of plugins: a host of TensorFlow's StreamExecutor C interface.
//!
//! A library that exports `SE_InitPlugin` registers a [`Platform`]: a device type, and functions that make devices,
//! their streams, events and memory. What it registers is checked before anything is used, and a refusal names what is
//! missing. Each device becomes a [`Device`](oplink_core::Device) with a [`StreamExecutorContext`].
//!
//! Everything made on a device holds the device, and a device holds its platform. So they end in the right order,
//! whoever drops last: work in flight is waited for, then tensors' memory, events, buffers and streams, the device, the
//! platform.
#![deny(unsafe_code)]

mod context;
mod executor;
mod memory;
mod padded_struct;
mod platform;
mod pluggable;
mod pool;
mod refusal;
mod stream_group;

pub use context::{Fill, StreamExecutorContext};
pub use executor::Facts;
pub use platform::{Platform, register};
pub use pluggable::PluggableDevice;
