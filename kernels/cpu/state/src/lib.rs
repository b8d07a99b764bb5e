//! Variables, lists, arrays, queues, readers, staging areas, stacks and tables; calls that wait for each other.
//!
//! What outlives a run is a resource: kernels reach it through the handle in an input, and only the ops that name it
//! know a name. What travels as a value, a list or an optional, is a variant.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod alarm;
mod arguments;
mod combination;
mod monitor;
pub mod named;
mod rows;
mod sums;
mod target;

pub mod accumulator;
pub mod barrier;
pub mod batching;
pub mod collective;
pub mod composite;
pub mod list;
pub mod map;
pub mod mutex;
pub mod optional;
pub mod queue;
pub mod ragged;
pub mod reader;
pub mod record_input;
pub mod rendezvous;
pub mod session;
pub mod slices;
pub mod sparse_map;
pub mod stack;
pub mod staging;
pub mod table;
pub mod tensor_array;
pub mod variable;

pub use accumulator::*;
pub use barrier::*;
pub use batching::*;
pub use collective::*;
pub use composite::*;
pub use list::*;
pub use map::*;
pub use mutex::*;
pub use optional::*;
pub use queue::*;
pub use ragged::*;
pub use reader::*;
pub use record_input::*;
pub use rendezvous::*;
pub use session::*;
pub use slices::*;
pub use sparse_map::*;
pub use stack::*;
pub use staging::*;
pub use table::*;
pub use tensor_array::*;
pub use variable::*;

oplink::anchor!(ops = 0, kernels = 244);
