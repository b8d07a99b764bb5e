//! Messages in protobuf's wire form: reading, writing, tensors.

mod read;
mod tensor;
mod write;

pub use read::{Field, Problem, Value, fields};
pub use tensor::{
    content_message, from_content, integers, parse_shape, read_tensor, shape_message, tensor_message, words,
};
pub use write::Message;
