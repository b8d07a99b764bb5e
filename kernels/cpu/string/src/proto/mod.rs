//! `DecodeProtoV2`, `EncodeProto`: fields of protocol buffer messages as tensors, and tensors as such messages.

mod decode;
mod encode;
mod fields;
#[cfg(test)]
mod tests;
mod values;
mod wire;

pub use decode::*;
pub use encode::*;
