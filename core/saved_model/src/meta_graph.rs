//! The file of a SavedModel: graphs by their tags.

use std::path::{Path, PathBuf};

use oplink_api::{Code, Error, ErrorKind, Result, ResultExt, ensure};
#[cfg(feature = "text")]
use oplink_proto::Message;
use oplink_proto::bytes::Bytes;
use oplink_proto::{GraphDef, MetaGraphDef, Name};

use crate::initialize::asset_files;
use crate::signature::{SignatureInfo, signatures};
use crate::{CHUNKED_FILE, FILE, SERVE, TEXT_FILE, recognize};

/// A file whose graphs are still bytes, so that the one which is wanted can be handed on as it was written.
#[derive(Clone, PartialEq, oplink_proto::prost::Message)]
#[prost(prost_path = "oplink_proto::prost")]
struct File {
    #[prost(bytes = "bytes", repeated, tag = "2")]
    meta_graphs: Vec<Bytes>,
}

impl Name for File {
    const NAME: &'static str = "SavedModel";
    const PACKAGE: &'static str = "tensorflow";
}

/// One graph of a SavedModel, with its tags, signatures, assets and initializers. Nothing of it is checked against the
/// ops that there are, and nothing is run.
#[derive(Clone, Debug)]
pub struct MetaGraph {
    dir: PathBuf,
    bytes: Bytes,
    def: MetaGraphDef,
}

impl MetaGraph {
    /// All graphs of the SavedModel in a folder, in the order of the file.
    ///
    /// # Errors
    /// `NotFound` where the folder holds no SavedModel; the error says what it is instead. `InvalidArgument` where the
    /// file is damaged.
    pub fn read_all(dir: impl AsRef<Path>) -> Result<Vec<Self>> {
        let dir = dir.as_ref();
        let (path, bytes) = read_file(dir)?;
        let read = if path.ends_with(TEXT_FILE) { Self::from_text(dir, bytes) } else { Self::from_bytes(dir, bytes) };
        read.context_with(|| format!("reading {}", path.display()))
    }

    /// All graphs in the bytes of a `saved_model.pb`; `dir` is where its variables and assets are.
    ///
    /// # Errors
    /// `InvalidArgument` where the bytes are no SavedModel.
    pub fn from_bytes(dir: impl AsRef<Path>, bytes: impl Into<Bytes>) -> Result<Vec<Self>> {
        let malformed = |error: oplink_proto::WireError| Error::invalid_argument(error.to_string()).with_source(error);
        let file: File = oplink_proto::from_bytes(bytes).map_err(malformed)?;
        let each = file.meta_graphs.into_iter().map(|bytes| {
            let def = oplink_proto::from_bytes(bytes.clone()).map_err(malformed)?;
            Ok(Self { dir: dir.as_ref().to_owned(), bytes, def })
        });
        each.collect()
    }

    #[cfg(feature = "text")]
    fn from_text(dir: &Path, bytes: Vec<u8>) -> Result<Vec<Self>> {
        let text = String::from_utf8(bytes).map_err(|error| Error::invalid_argument(error.to_string()))?;
        let model: oplink_proto::SavedModel =
            oplink_proto::from_text(&text).map_err(|error| Error::invalid_argument(error.to_string()))?;
        let graph = |def: MetaGraphDef| Self { dir: dir.to_owned(), bytes: def.encode_to_vec().into(), def };
        Ok(model.meta_graphs.into_iter().map(graph).collect())
    }

    #[cfg(not(feature = "text"))]
    fn from_text(_: &Path, _: Vec<u8>) -> Result<Vec<Self>> {
        Err(Error::unimplemented("this build reads no text format: enable the feature `text`"))
    }

    /// The graph with exactly these tags, in any order.
    ///
    /// # Errors
    /// As [`MetaGraph::read_all`]; `NotFound` where no graph has these tags.
    pub fn read(dir: impl AsRef<Path>, tags: &[&str]) -> Result<Self> {
        let dir = dir.as_ref();
        let mut graphs = Self::read_all(dir)?;
        match graphs.iter().position(|graph| graph.has_tags(tags)) {
            Some(at) => Ok(graphs.swap_remove(at)),
            None => Err(no_such_tags(dir, &format!("with the tags {{{}}}", tags.join(", ")), &graphs)),
        }
    }

    /// The only graph, or that with the tag `serve` alone.
    ///
    /// # Errors
    /// As [`MetaGraph::read_all`]; `NotFound` where there are several graphs and none is for serving.
    pub fn read_default(dir: impl AsRef<Path>) -> Result<Self> {
        let dir = dir.as_ref();
        let mut graphs = Self::read_all(dir)?;
        ensure!(!graphs.is_empty(), "the SavedModel {} has no graph", dir.display());
        let serving = graphs.iter().position(|graph| graph.has_tags(&[SERVE]));
        match serving.or((graphs.len() == 1).then_some(0)) {
            Some(at) => Ok(graphs.swap_remove(at)),
            None => Err(no_such_tags(dir, "for serving", &graphs)),
        }
    }

    /// The folder that it was read from.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What the graph is for, such as `serve`.
    pub fn tags(&self) -> &[String] {
        self.def.meta_info_def.as_ref().map_or(&[], |info| &info.tags)
    }

    /// The message as the file holds it.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The message.
    pub fn def(&self) -> &MetaGraphDef {
        &self.def
    }

    /// Takes the graph out of the message, which then has none.
    pub fn take_graph(&mut self) -> GraphDef {
        self.def.graph_def.take().unwrap_or_default()
    }

    /// The calls that the graph offers, in the order of their names; those for training too.
    ///
    /// # Errors
    /// A signature names no tensor, or a dtype that there is not.
    pub fn signatures(&self) -> Result<Vec<SignatureInfo>> {
        signatures(&self.def).context_with(|| format!("reading the signatures of {}", self.dir.display()))
    }

    /// The number of variables that the model says it has.
    pub fn num_variables(&self) -> usize {
        use oplink_proto::collection_def::Kind;
        use oplink_proto::saved_object;
        let objects = self.def.object_graph_def.iter().flat_map(|objects| &objects.nodes);
        let objects = objects.filter(|object| matches!(object.kind, Some(saved_object::Kind::Variable(_)))).count();
        let listed = self.def.collection_def.get("variables").and_then(|collection| collection.kind.as_ref());
        let listed = if let Some(Kind::BytesList(list)) = listed { list.value.len() } else { 0 };
        objects.max(listed)
    }

    /// The files that the graph reads, by their names in the folder `assets`, each once.
    ///
    /// # Errors
    /// The message lists one that is malformed.
    pub fn assets(&self) -> Result<Vec<String>> {
        let mut names: Vec<String> = asset_files(&self.def)?.into_iter().map(|asset| asset.filename).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn has_tags(&self, tags: &[&str]) -> bool {
        self.tags().iter().all(|tag| tags.contains(&tag.as_str()))
            && tags.iter().all(|tag| self.tags().iter().any(|own| own == tag))
    }
}

fn no_such_tags(dir: &Path, wanted: &str, graphs: &[MetaGraph]) -> Error {
    let present: Vec<String> = graphs.iter().map(|graph| format!("{{{}}}", graph.tags().join(", "))).collect();
    let message =
        format!("the SavedModel {} has no graph {wanted}; it has graphs with {}", dir.display(), present.join(", "));
    Error::new(Code::NotFound, ErrorKind::InvalidArgument, message)
}

/// The file that a folder has, and what is in it.
fn read_file(dir: &Path) -> Result<(PathBuf, Vec<u8>)> {
    for name in [FILE, TEXT_FILE] {
        let path = dir.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => return Ok((path, bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {}
            Err(error) => return Err(Error::io(path.display(), error)),
        }
    }
    let chunked = dir.join(CHUNKED_FILE);
    if chunked.exists() {
        let message = format!(
            "{} is a SavedModel in chunks, which is not read here; save it in one file, without `experimental_image_format`",
            chunked.display()
        );
        return Err(Error::unimplemented(message));
    }
    Err(recognize::no_saved_model(dir))
}
