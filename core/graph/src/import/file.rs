//! Graphs from files.

use std::path::Path;
use std::sync::Arc;

use oplink_api::{Code, Error, ErrorKind, Result, ResultExt};
use oplink_core::Registry;

use crate::Graph;

impl Graph {
    /// The graph in a file: text format where the name ends in `.pbtxt`, wire format otherwise.
    ///
    /// # Errors
    /// A file that cannot be read, and all that [`Graph::import_with`] refuses; each names the file.
    pub fn load(path: impl AsRef<Path>, registry: &Arc<Registry>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = std::fs::read(path)
            .map_err(|e| Error::new(Code::NotFound, ErrorKind::Resource, format!("{}: {e}", path.display())))?;
        let graph = match path.extension() {
            Some(extension) if extension == "pbtxt" => from_text(bytes, registry),
            _ => Self::from_bytes(bytes, registry),
        };
        graph.context_with(|| format!("importing {}", path.display()))
    }
}

#[cfg(feature = "text")]
fn from_text(bytes: Vec<u8>, registry: &Arc<Registry>) -> Result<Graph> {
    let text =
        String::from_utf8(bytes).map_err(|e| Error::invalid_argument(format!("the text format is UTF-8: {e}")))?;
    Graph::from_text(&text, registry)
}

#[cfg(not(feature = "text"))]
fn from_text(_: Vec<u8>, _: &Arc<Registry>) -> Result<Graph> {
    Err(Error::unimplemented("this build reads no text format: enable the feature `text`"))
}
