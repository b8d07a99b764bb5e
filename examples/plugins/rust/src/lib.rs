//! A plugin of two ops: one on numbers with attrs of several kinds and a shape function, one on strings.
//!
//! `cargo build --release` makes `target/release/libexample_plugin.so`, which oplink and TensorFlow load. The same
//! source builds into a program as any other crate.
#![forbid(unsafe_code)]

mod affine;
mod join;

use oplink::prelude::*;

pub use affine::OplinkAffine;
pub use join::OplinkJoin;

library! {
    pub EXAMPLE_OPS;
    ops::{affine::OplinkAffine, join::OplinkJoin},
    kernels::{affine::affine_cpu, join::join_cpu},
    gradients::{affine::affine_gradient},
}

plugin! { EXAMPLE_OPS }
