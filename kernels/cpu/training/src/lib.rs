//! Optimisers: one step of a variable's update.
//!
//! An optimiser is a function of the values at one position, those of the variable and of its slots (the variables that
//! hold its state), and of the gradient there. The same function serves resource and reference variables, whole
//! variables and rows.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![allow(clippy::too_many_arguments, reason = "a kernel has a parameter for each argument of its op")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod dtype;
mod rows;
mod slots;
mod update;

pub mod adadelta;
pub mod adagrad;
pub mod adam;
pub mod descent;
pub mod ftrl;
pub mod momentum;
pub mod rms_prop;
pub mod sdca;
pub mod sign;

pub use adadelta::*;
pub use adagrad::*;
pub use adam::*;
pub use descent::*;
pub use ftrl::*;
pub use momentum::*;
pub use rms_prop::*;
pub use sdca::*;
pub use sign::*;

oplink::anchor!(ops = 0, kernels = 59);
