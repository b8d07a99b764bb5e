//! Files and checkpoints.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![allow(clippy::too_many_arguments, reason = "a kernel has a parameter for each argument of its op")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod checkpoint;
mod checkpoint_v1;
mod file_system;
mod files;
mod immutable_const;
mod matching_files;
mod merge_v2_checkpoints;
mod paths;
mod remapping;
mod restore;
mod restore_v2;
mod save;
mod save_v2;
mod sharded;
mod skipgram;
mod vocabulary;

pub use file_system::*;
pub use files::*;
pub use immutable_const::*;
pub use matching_files::*;
pub use merge_v2_checkpoints::*;
pub use remapping::*;
pub use restore::*;
pub use restore_v2::*;
pub use save::*;
pub use save_v2::*;
pub use sharded::*;
pub use skipgram::*;
pub use vocabulary::*;

oplink::anchor!(ops = 0, kernels = 17);
