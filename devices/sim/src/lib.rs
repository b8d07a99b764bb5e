//! A simulated accelerator, built as a plugin that oplink and TensorFlow load.
//!
//! Devices of the type `SIM` have memory of their own: their addresses are reserved and cannot be read, so that a host
//! that takes them for its own ends at once. Each stream has a thread, which waits a little before every piece of work:
//! a missing wait shows as a wrong value. Memory is filled with a pattern when it is given out and when it is taken
//! back. Work on memory that is not given out is an error of its stream.
//!
//! Programs drive it through the functions in [`control`]: faults, counters. The environment sets it up when the host
//! opens it: `OPLINK_SIM_DEVICES` (2), `OPLINK_SIM_MEMORY` (bytes a device, 512 MiB), `OPLINK_SIM_DELAY_US` (the
//! longest delay, 50), `OPLINK_SIM_SEED` (of the delays, 1), `OPLINK_SIM_TIMEOUT_MS` (the longest wait of a host,
//! 60000) and `OPLINK_SIM_FAULTS` (see [`faults::Fault`]).
#![deny(unsafe_code)]

pub mod control;
mod counters;
mod device;
mod event;
pub mod faults;
mod kernels;
mod memory;
mod settings;
mod stream;

use oplink::prelude::*;

library! {
    pub SIM_KERNELS;
    kernels::{
        kernels::binary::add_v2, kernels::binary::sub, kernels::binary::mul, kernels::binary::maximum,
        kernels::bias_add::bias_add, kernels::cast::cast, kernels::constant::constant, kernels::mat_mul::mat_mul,
        kernels::moves::identity, kernels::moves::reshape, kernels::softmax::softmax, kernels::unary::neg,
        kernels::unary::relu, kernels::unary::tanh
    }
}

oplink::platform! { device::SimPlatform }

plugin! {
    SIM_KERNELS;
    host_ops: kernels::binary::AddV2, kernels::binary::Sub, kernels::binary::Mul, kernels::binary::Maximum,
        kernels::bias_add::BiasAdd, kernels::cast::Cast, kernels::constant::Const, kernels::mat_mul::MatMul,
        kernels::moves::Identity, kernels::moves::Reshape, kernels::softmax::Softmax, kernels::unary::Neg,
        kernels::unary::Relu, kernels::unary::Tanh;
    adapted: kernels::adapted::kernels
}
