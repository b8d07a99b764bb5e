//! Messages in protobuf's wire form: tensors and summaries.

mod read;
mod tensor;
mod write;

pub(super) use read::{Field, Problem, Value, fields};
pub(super) use tensor::{content_message, integers, read_tensor, tensor_message, words};
pub(super) use write::Message;
