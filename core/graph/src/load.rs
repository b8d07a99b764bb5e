//! Graphs from messages, bytes, text and files.

use std::path::Path;
use std::sync::Arc;

use oplink_api::{Error, ErrorKind, Result, ResultExt};
use oplink_core::Registry;
use oplink_proto::bytes::Bytes;
use oplink_proto::{EncodedFunctionsGraphDef, GraphDef};

use crate::convert::Contents;
use crate::graph::constant_of;
use crate::library::{ARE_LINKED, left_out};
use crate::{Graph, ImportOptions};

impl Graph {
    /// The graph in a message; see [`Graph::import_with`].
    pub fn import(def: &GraphDef, registry: &Arc<Registry>) -> Result<Self> {
        Self::import_with(def, registry, ImportOptions::default())
    }

    /// The graph in the wire format; see [`Graph::import_with`].
    ///
    /// Given a `Vec<u8>`, constants are copied once, from there to their tensors.
    pub fn from_bytes(bytes: impl Into<Bytes>, registry: &Arc<Registry>) -> Result<Self> {
        Self::import(&decode(bytes.into())?, registry)
    }

    /// The graph in the text format; see [`Graph::import_with`].
    #[cfg(feature = "text")]
    pub fn from_text(text: &str, registry: &Arc<Registry>) -> Result<Self> {
        let def = oplink_proto::from_text(text).map_err(|e| malformed(&e))?;
        Self::import(&def, registry)
    }

    /// The graph in a message. Nodes keep their order, names, attrs and devices; [`Graph::to_def`] gives an equal
    /// message back.
    ///
    /// # Errors
    /// Versions that exclude this runtime. Functions with a malformed signature. Names that are malformed or not
    /// unique. Ops that are neither declared nor functions of the graph's library, or not available in the graph's
    /// version. Attrs that are missing, unknown (unless their names start with `_`), of the wrong kind or against their
    /// constraint. Inputs that do not exist, are too many or too few, of the wrong dtype, or stand behind control
    /// inputs. Cycles. Shapes that an op refuses. One error tells all of them, each with the node's name; its kind is
    /// that of the problems where they have one in common, else `InvalidGraph`.
    pub fn import_with(def: &GraphDef, registry: &Arc<Registry>, options: ImportOptions) -> Result<Self> {
        Self::new(registry).filled(def, options)
    }

    /// The graph in a file: text format where the name ends in `.pbtxt`, wire format otherwise.
    ///
    /// Large constants of the wire format stay in the file, which is kept open, until they are first used: a kernel
    /// that keeps what it makes of a constant leaves it there. A file that is replaced by another of its name, or
    /// deleted where the system allows that, changes nothing. One that is written to after it was loaded makes runs
    /// fail that need a constant which was not read before, and says so; [`Graph::read_constants`] reads them all.
    ///
    /// # Errors
    /// A file that cannot be read, and all that [`Graph::import_with`] refuses; each names the file.
    pub fn load(path: impl AsRef<Path>, registry: &Arc<Registry>) -> Result<Self> {
        let path = path.as_ref();
        let graph = match path.extension() {
            Some(extension) if extension == "pbtxt" => read(path).and_then(|bytes| from_text(bytes, registry)),
            _ => from_file(path, registry),
        };
        graph.context_with(|| format!("importing {}", path.display()))
    }

    /// Reads the constants that are still in the file that the graph was loaded from, which is not needed any more
    /// then.
    ///
    /// # Errors
    /// The file cannot be read, or was written to; memory runs out.
    pub fn read_constants(&self) -> Result<()> {
        let constants = self.nodes.iter().filter_map(constant_of).filter(|value| value.dtype().size().is_some());
        constants.filter(|value| !value.is_on_device()).try_for_each(|value| value.as_bytes().map(drop))
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::io(path.display(), error))
}

fn from_file(path: &Path, registry: &Arc<Registry>) -> Result<Graph> {
    let Some(contents) = Contents::of_file(path)? else { return Graph::from_bytes(read(path)?, registry) };
    let def = decode(contents.message())?;
    Graph::new(registry).filled_without(Some(&contents), &def, ImportOptions::default())
}

/// The message in these bytes.
///
/// # Errors
/// They are no GraphDef; a build without functions refuses those that have any.
pub(crate) fn decode(bytes: Bytes) -> Result<GraphDef> {
    if ARE_LINKED {
        return oplink_proto::from_bytes(bytes).map_err(|e| malformed(&e));
    }
    let def: EncodedFunctionsGraphDef = oplink_proto::from_bytes(bytes).map_err(|e| malformed(&e))?;
    match def.first_function() {
        Some(name) => Err(left_out(&name)),
        None => Ok(def.without_functions()),
    }
}

#[cfg(feature = "text")]
fn from_text(bytes: Vec<u8>, registry: &Arc<Registry>) -> Result<Graph> {
    let text = String::from_utf8(bytes)
        .map_err(|e| Error::invalid_argument(format!("the text format is UTF-8: {e}")).with_source(e))?;
    Graph::from_text(&text, registry)
}

#[cfg(not(feature = "text"))]
fn from_text(_: Vec<u8>, _: &Arc<Registry>) -> Result<Graph> {
    Err(Error::unimplemented("this build reads no text format: enable the feature `text`"))
}

fn malformed(error: &dyn std::fmt::Display) -> Error {
    Error::invalid_argument(error.to_string()).with_kind(ErrorKind::InvalidGraph)
}
