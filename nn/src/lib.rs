//! What programs that compute and train are written with: values with operators, tapes, traced functions, layers.
//!
//! - [`Value`] is a tensor with operators and methods, each of which is an op and nothing else.
//! - [`Tape`] records calls and gives gradients by the functions of `#[gradient]`, which graphs use too.
//! - [`function`] traces a Rust function into a graph, which later calls run; [`cond`] and [`while_loop`] are
//!   conditions and loops on values in it.
//! - With the feature `train`: `Variable`, `Module`, `layers`, `losses`, `metrics`, `optimizers` and `schedules`,
//!   `precision`, `trainer` with `data` and `weights`, by the names and with the numbers of Keras 3; and with
//!   `saved_model`, `export` writes models.
//!
//! Invariant: what computes is an op; there is no kernel here, and no second path to one.
#![forbid(unsafe_code)]

#[cfg(feature = "train")]
pub mod activations;
#[cfg(feature = "train")]
pub mod data;
#[cfg(feature = "saved_model")]
pub mod export;
#[cfg(feature = "train")]
pub mod initializers;
#[cfg(feature = "train")]
pub mod layers;
#[cfg(feature = "train")]
pub mod losses;
#[cfg(feature = "train")]
pub mod metrics;
#[cfg(feature = "train")]
mod module;
#[cfg(feature = "train")]
pub mod optimizers;
#[cfg(feature = "train")]
pub mod precision;
mod run;
#[cfg(feature = "train")]
mod safetensors;
#[cfg(feature = "train")]
pub mod schedules;
mod scope;
pub mod tape;
pub mod trace;
#[cfg(feature = "train")]
pub mod trainer;
pub mod value;
#[cfg(feature = "train")]
mod variable;
#[cfg(feature = "train")]
pub mod weights;

#[cfg(feature = "train")]
pub use activations::Activation;
#[cfg(feature = "train")]
pub use initializers::{Initializer, set_seed};
#[cfg(feature = "train")]
pub use layers::{Layer, Mode};
#[cfg(feature = "train")]
pub use module::{Module, Visitor};
/// Makes a struct a module: its fields are its parts. `#[module(skip)]` leaves a field out.
#[cfg(feature = "train")]
pub use oplink_macros::Module;
#[cfg(feature = "train")]
pub use optimizers::Optimizer;
#[cfg(feature = "train")]
pub use precision::{Policy, autocast};
pub use run::run as call_op;
pub use scope::{ValueScope, apply};
pub use tape::{Tape, Watched};
pub use trace::{Function, cond, function, while_loop};
#[cfg(feature = "train")]
pub use trainer::{Fit, Trainer};
pub use value::{Axes, Extents, IntoValue, Value};
#[cfg(feature = "train")]
pub use variable::Variable;

/// An axis of extent 1 in the region of a slice.
pub use ndarray::NewAxis;
