//! The features of `Example` and `SequenceExample` messages as tensors, and such messages from JSON.

mod columns;
pub mod decode_json_example;
mod json;
mod lists;
mod message;
pub mod parse_example;
pub mod parse_sequence_example;

pub(super) use columns::splits_tensor;
pub use decode_json_example::*;
pub use parse_example::*;
pub use parse_sequence_example::*;
