//! Variables, lists, arrays, queues, stacks and tables.
//!
//! What outlives a run is a resource: kernels reach it through the handle in an input, and only the ops that name it
//! know a name. What travels as a value, a list or an optional, is a variant.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod arguments;
mod combination;
mod named;
mod rows;
mod sums;
mod target;

pub mod list;
pub mod optional;
pub mod queue;
pub mod ragged;
pub mod slices;
pub mod sparse_map;
pub mod stack;
pub mod table;
pub mod tensor_array;
pub mod variable;

pub use list::*;
pub use optional::*;
pub use queue::*;
pub use ragged::*;
pub use slices::*;
pub use sparse_map::*;
pub use stack::*;
pub use table::*;
pub use tensor_array::*;
pub use variable::*;

oplink::anchor!(ops = 0, kernels = 135);
