//! Variables, lists, arrays, queues, stacks and tables.

mod list;
mod optional;
mod queue;
mod ragged;
mod slices;
mod sparse_map;
mod stack;
mod table;
mod tensor_array;
mod variable;

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
