//! TensorFlow's messages: `GraphDef`, `OpDef`, `SavedModel` and what they are made of, in the wire format, in the text
//! format, and as the op language's [`OpSpec`](oplink_spec::OpSpec).
//!
//! - The messages stand in [`tensorflow`] and are re-exported here. They are generated from `proto/tensorflow/*.proto`
//!   and checked in, so that building needs neither a protocol compiler nor a build script. Field numbers, types and
//!   names are those of TensorFlow 2.21.
//! - [`from_bytes`] and [`to_bytes`] read and write the wire format. Every `bytes` field is a [`bytes::Bytes`]:
//!   decoding from one owned buffer shares that buffer instead of copying constants. Maps are ordered, so equal
//!   messages encode to equal bytes. `GraphDef::debug_info` stays encoded, as it was written: `GraphDebugInfo::decode`
//!   reads it.
//! - `from_text` and `to_text` (feature `text`, on by default) read and write the text format; `descriptor_pool` and
//!   `dynamic_from_text` are for messages that are only described.
//! - [`op_def_to_spec`] and [`spec_to_op_def`] convert declarations; [`OpExtras`] carries what a spec has no place for.
//!
//! Fields that these messages do not declare are dropped on decoding: a file written by a newer TensorFlow does not
//! come back byte for byte. The wire format refuses messages nested deeper than [`MAX_DEPTH`], the text format those
//! nested deeper than [`MAX_TEXT_DEPTH`].
//!
//! Invariant: this crate knows `oplink-spec` and no other crate of the workspace.
#![warn(clippy::missing_errors_doc)]
#![forbid(unsafe_code)]

mod convert;
mod encoded_functions;
pub mod google;
#[cfg(feature = "text")]
mod text;
mod wire;

#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, missing_docs)]
#[path = "generated/tensorflow.rs"]
pub mod tensorflow;

pub use bytes;
pub use convert::{
    ArgExtras, ConvertError, OpExtras, attr_value_from_spec, attr_value_to_spec, dtype_from_wire, op_def_to_spec,
    shape_from_spec, shape_to_spec, spec_to_op_def, tensor_to_spec,
};
pub use encoded_functions::EncodedFunctionsGraphDef;
pub use prost::{self, Message, Name};
#[cfg(feature = "text")]
pub use prost_reflect;
pub use tensorflow::*;
#[cfg(feature = "text")]
pub use text::{TextError, descriptor_pool, dynamic_from_text, from_text, to_text};
pub use wire::{WireError, from_bytes, to_bytes};

/// The greatest depth of messages inside messages that the wire format accepts; TensorFlow's own limit. An entry of a
/// map is a message too.
pub const MAX_DEPTH: usize = 100;

/// As [`MAX_DEPTH`], of the text format. TensorFlow has no limit there; this one is for the stack: the parser, where it
/// is compiled without optimisation, takes 24 KiB a level, of the 2 MiB that a thread has. Graphs of models nest 10 to
/// 20 deep.
pub const MAX_TEXT_DEPTH: usize = 32;
