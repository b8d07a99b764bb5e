//! The backend of oplink's macros as ordinary functions from tokens to tokens, so that expansions are tested without
//! a compiler.
//!
//! Each macro goes through the same steps, a file each: *parse* the attribute's keys and the item's header, build the
//! *model*, *check* it, *expand* it. Mistakes are collected and reported together, each once, on the token at fault;
//! the annotated item is emitted unchanged beside them, so that a mistake in an annotation causes no others. Expansions
//! are thin calls into the hidden module `__private` of the crate `oplink`.
#![forbid(unsafe_code)]

mod descriptor;
mod device_fn;
mod device_struct;
mod errors;
mod gpu;
mod gradient;
mod item;
mod kernel;
mod keys;
mod library;
mod mentioned;
mod module;
mod op;
mod program;
mod selection;
mod signature;
mod text;
mod types;

pub use device_fn::{device_fn, device_item, uses_of};
pub use device_struct::device_struct;
pub use gradient::gradient;
pub use kernel::{kernel, kernel_of_op};
pub use library::library;
pub use module::module;
pub use op::op;
pub use program::{program, program_of};
pub use selection::{Build, Chosen, Selection};
