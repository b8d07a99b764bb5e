//! The format before bundles: what `Save` and `SaveSlices` write and `Restore` and `RestoreSlice` read.
//!
//! A checkpoint is one table, or several whose names a pattern matches. Under the empty key stands a message that lists
//! the tensors with dtype, shape and slices; under the key of each slice a message with its elements.

mod elements;
mod message;
mod reader;
mod writer;

pub use reader::V1Reader;
pub use writer::V1Writer;
