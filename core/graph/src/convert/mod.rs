//! Attr values and tensors on their way between graphs and messages.

mod budget;
mod contents;
mod from_proto;
mod graph_file;
mod scan;
mod shape;
mod tensor;
mod to_proto;

pub use from_proto::attr_from_proto;
pub use shape::{shape_from_proto, shape_to_proto};
pub use tensor::{tensor_from_proto, tensor_to_proto};
pub use to_proto::attr_to_proto;

pub(crate) use budget::Budget;
pub(crate) use contents::Contents;
pub(crate) use from_proto::read_attr;
pub(crate) use tensor::is_canonical;
