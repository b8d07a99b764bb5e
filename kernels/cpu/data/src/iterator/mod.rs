//! Iterators: positions in datasets that runs share.

mod create;
mod names;
mod next;
mod resource;
mod shard_names;
mod shards;
mod state;

pub use create::*;
pub use names::*;
pub use next::*;
pub use resource::IteratorResource;
pub use shard_names::*;
pub use shards::*;
pub use state::*;
