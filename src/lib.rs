//! oplink: declare machine-learning ops and write their kernels as annotated Rust functions; run TensorFlow graphs
//! through them.
//!
//! ```
//! use oplink::prelude::*;
//!
//! /// `y = x * scale + shift`.
//! #[op("DocScale", input = "x: T", input = "scale: T", output = "y: T",
//!      attr = "shift: float = 0.0", attr = "T: {float, int32}", shape = shape_fns::unchanged)]
//! pub struct DocScale;
//!
//! #[kernel(DocScale, device = CPU, T = [f32], forward(x => y))]
//! fn doc_scale(y: InOut<'_, f32>, scale: f32, shift: f32) {
//!     y.map(|x| x * scale + shift);
//! }
//!
//! # fn main() -> Result<()> {
//! let y = DocScale::builder().shift(1.0).call([1.0f32, 2.0], 3.0f32)?;
//! assert_eq!(y.as_slice::<f32>()?, [4.0, 7.0]);
//! # Ok(())
//! # }
//! ```
//!
//! [`op`], [`kernel`] and [`library`] are the annotations; [`Graph`](graph::Graph) and [`Session`](graph::Session) run
//! graphs; [`Registry`](runtime::Registry) holds what is linked.
#![forbid(unsafe_code)]

extern crate self as oplink;

pub use oplink_api::*;
/// The registry of what is linked, devices, threads and memory.
pub use oplink_core as runtime;
/// The CPU device.
pub use oplink_device_cpu as device_cpu;
/// Graphs, sessions, functions, eager calls and gradients.
pub use oplink_graph as graph;

/// The built-in ops: their types with eager calls (`Relu::call(&x)`), and their graph functions
/// (`relu(&mut scope, x)`).
///
/// `oplink::prelude::*` and `oplink::ops::*` go together: where both have a name, it means here what it means in the
/// prelude, and the op is `ShapeOp`, `RealOp`, `ComplexOp` or `IteratorOp`.
#[cfg(feature = "cpu-kernels")]
pub mod ops {
    pub use oplink_api::prelude::{Complex, Real, Shape};
    #[cfg(feature = "data")]
    pub use oplink_ops::Iterator as IteratorOp;
    #[cfg(feature = "array")]
    pub use oplink_ops::Shape as ShapeOp;
    pub use oplink_ops::*;
    #[cfg(feature = "math")]
    pub use oplink_ops::{Complex as ComplexOp, Real as RealOp};
    pub use std::iter::Iterator;
}

/// Values with operators, tapes, traced functions; with the feature `train`, layers, losses and optimisers.
#[cfg(feature = "values")]
pub use oplink_nn as nn;
#[cfg(feature = "values")]
pub use oplink_nn::{Function, Tape, Value, apply, cond, function, s, while_loop};

/// SavedModels: what their files say, loading, calls by signatures, writing.
#[cfg(feature = "saved_model")]
pub use oplink_saved_model as saved_model;
#[cfg(feature = "saved_model")]
pub use oplink_saved_model::SavedModel;

/// GPUs by CUDA or Vulkan.
#[cfg(feature = "gpu")]
pub use oplink_device_gpu as device_gpu;
/// The device that plans but computes nothing.
#[cfg(feature = "null-device")]
pub use oplink_device_null as device_null;

/// What an op file, or a program that runs graphs, needs.
pub mod prelude {
    pub use crate::graph::{Graph, GraphScope, Session, SessionOptions};
    pub use crate::runtime::Registry;
    pub use oplink_api::prelude::*;
}

#[cfg(feature = "plugins")]
pub use plugins::{PlatformInfo, PluginInfo, Runtime, Strictness};

#[cfg(doctest)]
#[doc = include_str!("../docs/training.md")]
struct Training;

mod links;
mod op_index;
#[cfg(feature = "plugins")]
mod plugins;
