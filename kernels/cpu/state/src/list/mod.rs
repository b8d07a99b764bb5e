//! Tensor lists: sequences of tensors that travel as a value, in a scalar of dtype variant.
//!
//! An op that changes a list makes a new one, in the memory of the old one where nobody else holds that, so that a loop
//! that sets or pushes one element at a time does not copy the others.

mod value;

mod change;
mod create;
mod join;
mod read;

pub use change::*;
pub use create::*;
pub use join::*;
pub use read::*;
pub use value::TensorList;
