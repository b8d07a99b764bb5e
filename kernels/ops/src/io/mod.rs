//! Files and checkpoints.

mod checkpoint;
mod file_system;
mod immutable_const;
mod matching_files;
mod merge_v2_checkpoints;
mod read_file;
mod remapping;
mod restore;
mod restore_v2;
mod save;
mod save_v2;
mod shapes;
mod sharded_filename;
mod sharded_filespec;
mod skipgram;
mod write_file;

pub use checkpoint::part;
pub use file_system::*;
pub use immutable_const::*;
pub use matching_files::*;
pub use merge_v2_checkpoints::*;
pub use read_file::*;
pub use remapping::*;
pub use restore::*;
pub use restore_v2::*;
pub use save::*;
pub use save_v2::*;
pub use sharded_filename::*;
pub use sharded_filespec::*;
pub use skipgram::*;
pub use write_file::*;
