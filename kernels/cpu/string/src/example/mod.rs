//! The features of `Example` and `SequenceExample` messages as tensors, and such messages from JSON.

pub mod decode_json_example;
mod json;
mod lists;
pub mod parse_example;
pub mod parse_sequence_example;

pub use decode_json_example::*;
pub(super) use oplink_cpu_support::example::splits_tensor;
pub use parse_example::*;
pub use parse_sequence_example::*;
