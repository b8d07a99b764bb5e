//! Blocks of positions along spatial axes moved into the batch, and back.

pub mod batch_to_space;
mod layout;
pub mod space_to_batch;

pub use batch_to_space::*;
pub use space_to_batch::*;
