//! What a file or a folder is, for people who name one: a model that runs here, or what else, and what to do about it.

mod folder;
mod formats;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use oplink_api::{Error, Result};
use oplink_proto::{GraphDef, MetaGraphDef, SavedModel};

pub(crate) use folder::no_saved_model;

use crate::{CHUNKED_FILE, FILE, TEXT_FILE};

/// A file or folder that holds a model.
#[derive(Clone, Debug)]
pub enum ModelFile {
    /// The folder of a SavedModel.
    SavedModel(PathBuf),
    /// A graph, binary or in the text format.
    Graph(Box<GraphDef>),
}

/// Bytes at the start and at the end of a file that formats are known by.
const ENDS: usize = 64 * 1024;

impl ModelFile {
    /// What a path names: the folder of a SavedModel, its `saved_model.pb`, or a GraphDef, by what is in it and not by
    /// how it is called.
    ///
    /// # Errors
    /// There is nothing, or it cannot be read; anything else: the error says what it is and what to do.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let metadata = std::fs::metadata(path).map_err(|error| Error::io(path.display(), error))?;
        if metadata.is_dir() {
            let holds = |name| path.join(name).exists();
            let is_model = [FILE, TEXT_FILE, CHUNKED_FILE].into_iter().any(holds);
            return if is_model { Ok(Self::SavedModel(path.to_owned())) } else { Err(no_saved_model(path)) };
        }
        if path.file_name().is_some_and(|name| [FILE, TEXT_FILE, CHUNKED_FILE].iter().any(|own| name == *own)) {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return Ok(Self::SavedModel(folder.unwrap_or(Path::new(".")).to_owned()));
        }
        if metadata.len() == 0 {
            return Err(refused(path, "is empty", "copy or save it again"));
        }
        let (head, tail) = ends(path).map_err(|error| Error::io(path.display(), error))?;
        if let Some(format) = formats::known(path, &head, &tail) {
            return Err(refused(path, &format!("is {}", format.name), format.advice));
        }
        let bytes = std::fs::read(path).map_err(|error| Error::io(path.display(), error))?;
        graph(path, bytes).map(|graph| Self::Graph(Box::new(graph)))
    }
}

/// The first and the last bytes of a file; the same ones where it is short.
fn ends(path: &Path) -> std::io::Result<(Vec<u8>, Vec<u8>)> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    file.by_ref().take(ENDS as u64).read_to_end(&mut head)?;
    if head.len() < ENDS {
        return Ok((head.clone(), head));
    }
    file.seek(SeekFrom::End(-(ENDS as i64)))?;
    let mut tail = Vec::new();
    file.take(ENDS as u64).read_to_end(&mut tail)?;
    Ok((head, tail))
}

#[cold]
fn refused(path: &Path, what: &str, advice: &str) -> Error {
    Error::invalid_argument(format!("{} {what}; {advice}", path.display()))
}

/// The graph in a file that is in no format known by its first bytes.
fn graph(path: &Path, bytes: Vec<u8>) -> Result<GraphDef> {
    if path.extension().is_some_and(|extension| extension == "pbtxt") || is_text(&bytes) {
        return graph_from_text(path, bytes);
    }
    let bytes = oplink_proto::bytes::Bytes::from(bytes);
    let problem = match oplink_proto::from_bytes::<GraphDef>(bytes.clone()) {
        Ok(graph) if is_plausible(&graph) => return Ok(graph),
        Ok(_) => "its nodes have no names or ops".to_owned(),
        Err(error) => error.to_string(),
    };
    let has_graph = |meta: &MetaGraphDef| meta.graph_def.as_ref().is_some_and(is_plausible);
    if oplink_proto::from_bytes::<MetaGraphDef>(bytes.clone()).is_ok_and(|meta| has_graph(&meta)) {
        let advice = "its variables are in the checkpoint beside it; restore both in TensorFlow and write a SavedModel";
        return Err(refused(path, "is a MetaGraphDef, the graph of a checkpoint", advice));
    }
    if oplink_proto::from_bytes::<SavedModel>(bytes).is_ok_and(|model| model.meta_graphs.iter().any(has_graph)) {
        let advice = "name it saved_model.pb, with `variables` beside it, and give the folder";
        return Err(refused(path, "is the file of a SavedModel under another name", advice));
    }
    let advice = "give the folder of a SavedModel, or a GraphDef in the wire format or the text format";
    Err(refused(path, &format!("is no model that runs here: {problem}"), advice))
}

/// Whether these are nodes, and not another message that happens to decode.
fn is_plausible(graph: &GraphDef) -> bool {
    let named = graph.node.iter().all(|node| !node.name.is_empty() && !node.op.is_empty());
    named && (!graph.node.is_empty() || graph.versions.is_some() || graph.library.is_some())
}

/// Whether these bytes are text: a message in the wire format has control characters near its start.
fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(ENDS)];
    let text = start.iter().all(|byte| *byte >= b' ' || byte.is_ascii_whitespace());
    text && std::str::from_utf8(bytes).is_ok()
}

#[cfg(feature = "text")]
fn graph_from_text(path: &Path, bytes: Vec<u8>) -> Result<GraphDef> {
    let text = String::from_utf8(bytes)
        .map_err(|error| refused(path, &format!("is no text: {error}"), "the text format is UTF-8"))?;
    oplink_proto::from_text(&text).map_err(|error| {
        let advice = "give the folder of a SavedModel, or a GraphDef in the wire format or the text format";
        refused(path, &format!("is no GraphDef in the text format: {error}"), advice)
    })
}

#[cfg(not(feature = "text"))]
fn graph_from_text(path: &Path, _: Vec<u8>) -> Result<GraphDef> {
    let what = "is text, and this build reads no GraphDef in the text format";
    Err(refused(path, what, "enable the feature `text`"))
}
