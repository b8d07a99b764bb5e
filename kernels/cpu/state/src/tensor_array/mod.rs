//! Tensor arrays: tensors that are written, each once, and read within a step.
//!
//! The `flow` that goes through all ops has no meaning of its own: it makes a graph run them in order. The array of an
//! array's gradients adds up what is written to a position.

mod array;

mod create;
mod read;
mod write;

pub use array::TensorArray;
pub use create::*;
pub use read::*;
pub use write::*;
