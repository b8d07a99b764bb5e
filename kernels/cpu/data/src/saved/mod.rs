//! Elements in files, in the form that TensorFlow gives them.
//!
//! A folder has the file `snapshot.metadata`, which names the run that wrote last, and a folder for each run. A run has
//! shards, folders `00000000.shard` and so on; a shard has files of elements, `00000000.snapshot` and so on, which are
//! read one after the other.

mod chunks;
mod elements;
mod load;
mod metadata;
mod recorder;
mod save;
mod shards;
mod snapshot;
mod snapshot_v1;
mod text;

pub use chunks::*;
pub use load::*;
pub use save::*;
pub use shards::*;
pub use snapshot::*;
pub use snapshot_v1::*;
