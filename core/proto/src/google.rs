//! The messages of package `google.protobuf` that TensorFlow's messages hold.

use prost::bytes::Bytes;

/// A message of any type: its type's name and its bytes.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct Any {
    /// `prefix/full.message.Name`.
    #[prost(string, tag = "1")]
    pub type_url: String,
    /// The message in the wire format.
    #[prost(bytes = "bytes", tag = "2")]
    pub value: Bytes,
}

impl prost::Name for Any {
    const NAME: &'static str = "Any";
    const PACKAGE: &'static str = "google.protobuf";
}
