//! The wire format.

use prost::bytes::Bytes;
use prost::{DecodeError, Message, Name};
use std::fmt;

/// Bytes that are not the message they should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireError {
    message: String,
    len: usize,
    source: DecodeError,
}

impl WireError {
    /// The full name of the message that was asked for, such as `tensorflow.GraphDef`.
    pub fn message_name(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WireError { message, len, source } = self;
        write!(f, "these {len} bytes are no {message} in the wire format: {source}")
    }
}

impl std::error::Error for WireError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Reads a message from the wire format.
///
/// Given a `Vec<u8>` or `Bytes`, the message's `bytes` fields share that buffer and keep it alive; none is copied.
/// Fields that the message does not declare are dropped.
///
/// # Errors
/// When the bytes are truncated or malformed, a `string` is not UTF-8, or messages nest deeper than
/// [`MAX_DEPTH`](crate::MAX_DEPTH). The error names the field.
pub fn from_bytes<M: Message + Name + Default>(bytes: impl Into<Bytes>) -> Result<M, WireError> {
    let bytes = bytes.into();
    let len = bytes.len();
    M::decode(bytes).map_err(|source| WireError { message: M::full_name(), len, source })
}

/// Writes a message in the wire format: fields by number, entries of maps by key.
pub fn to_bytes<M: Message>(message: &M) -> Vec<u8> {
    message.encode_to_vec()
}
