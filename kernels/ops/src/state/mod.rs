//! Variables, lists, arrays, queues, readers, staging areas, stacks and tables.

mod accumulator;
mod barrier;
mod handles;
mod list;
mod mutex;
mod optional;
mod queue;
mod reader;
mod reading;
mod session;
mod slices;
mod stack;
mod staging;
mod staging_map;
mod table;
mod tensor_array;
mod variable;

pub use accumulator::*;
pub use barrier::*;
pub use list::*;
pub use mutex::*;
pub use optional::*;
pub use queue::*;
pub use reader::*;
pub use reading::*;
pub use session::*;
pub use slices::*;
pub use stack::*;
pub use staging::*;
pub use staging_map::*;
pub use table::*;
pub use tensor_array::*;
pub use variable::*;
