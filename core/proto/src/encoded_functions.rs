//! Graphs whose functions stay encoded, for programs without functions: they link no code that reads one.

use oplink_spec::wire::{Value, fields};
use prost::bytes::Bytes;
use prost::{Message, Name};

use crate::{GraphDef, NodeDef, VersionDef};

/// [`GraphDef`] with its library as it was written.
#[derive(Clone, PartialEq, Message)]
pub struct EncodedFunctionsGraphDef {
    #[prost(message, repeated, tag = "1")]
    node: Vec<NodeDef>,
    #[prost(message, optional, tag = "4")]
    versions: Option<VersionDef>,
    #[prost(int32, tag = "3")]
    version: i32,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    library: Vec<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "5")]
    debug_info: Option<Bytes>,
}

impl Name for EncodedFunctionsGraphDef {
    const NAME: &'static str = GraphDef::NAME;
    const PACKAGE: &'static str = GraphDef::PACKAGE;
}

impl EncodedFunctionsGraphDef {
    /// The name of the first function of the library, empty where it has none that can be read; `None` where the
    /// library has no function.
    pub fn first_function(&self) -> Option<String> {
        self.library.iter().find_map(|library| {
            let name = nested(library).map(|function| nested(function).and_then(nested).unwrap_or_default());
            name.map(|name| String::from_utf8_lossy(name).into_owned())
        })
    }

    /// The graph without its library.
    pub fn without_functions(self) -> GraphDef {
        let Self { node, versions, version, debug_info, .. } = self;
        #[allow(deprecated, reason = "graphs from before `versions` have only this")]
        GraphDef { node, versions, version, library: None, debug_info }
    }
}

/// The first field number 1 of a message: the function of a library, the signature of a function, its name.
fn nested(message: &[u8]) -> Option<&[u8]> {
    let mut found = None;
    let read = fields(message, |number, value| {
        if let (1, Value::Bytes(bytes), None) = (number, value, found) {
            found = Some(bytes);
        }
        Ok(())
    });
    // What is damaged behind the field changes nothing of it.
    let _ = read;
    found
}
