//! Writing a SavedModel: a session's graph and variables, with signatures, assets and an initializer.

mod assets;
pub(crate) mod descriptions;
pub(crate) mod files;
mod functions;
mod message;
mod ops;
mod saver;
mod signatures;
pub(crate) mod variables;

use std::path::{Path, PathBuf};

use oplink_api::{Output, Result, ResultExt, ensure};
use oplink_graph::{Graph, Session};
use oplink_proto::prost::Message;
use oplink_proto::{GraphDef, SaverDef, SignatureDef, VariableDef};

use crate::{FILE, INIT_OP, SERVE};
pub(crate) use assets::Asset;
pub use signatures::SignatureBuilder;

/// What a SavedModel is made of, beside the graph and the variables of a session.
///
/// TensorFlow loads what is written: `tf.saved_model.load`, the loader of TensorFlow 1 and
/// `TF_LoadSessionFromSavedModel`.
#[derive(Clone, Debug, Default)]
pub struct SavedModelBuilder {
    tags: Vec<String>,
    signatures: Vec<(String, SignatureBuilder)>,
    assets: Vec<(Output, PathBuf)>,
    init_op: Option<u32>,
}

/// The parts of a model's message.
pub(crate) struct Parts {
    pub(crate) tags: Vec<String>,
    pub(crate) graph: GraphDef,
    pub(crate) ops: Vec<oplink_proto::OpDef>,
    pub(crate) signatures: Vec<(String, SignatureDef)>,
    pub(crate) descriptions: Vec<oplink_proto::OpDef>,
    pub(crate) saver: Option<SaverDef>,
    pub(crate) variables: Vec<VariableDef>,
    pub(crate) assets: Vec<Asset>,
    pub(crate) init_op: Option<String>,
}

impl SavedModelBuilder {
    /// A model for serving, without signatures yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the graph these tags in place of `serve`.
    #[must_use]
    pub fn tags(mut self, tags: &[&str]) -> Self {
        self.tags = tags.iter().map(|&tag| tag.to_owned()).collect();
        self
    }

    /// Adds a call, such as `serving_default`.
    #[must_use]
    pub fn signature(mut self, name: &str, signature: SignatureBuilder) -> Self {
        self.signatures.push((name.to_owned(), signature));
        self
    }

    /// Adds a file that the graph reads. It is copied into the model; `path` is the string tensor, usually a constant,
    /// that is fed with where the copy is when the model is loaded.
    #[must_use]
    pub fn asset(mut self, path: Output, file: impl AsRef<Path>) -> Self {
        self.assets.push((path, file.as_ref().to_owned()));
        self
    }

    /// The node that is run when the model is loaded, after the variables are restored: one that fills tables.
    #[must_use]
    pub fn init_op(mut self, node: u32) -> Self {
        self.init_op = Some(node);
        self
    }

    /// Writes the graph of the session with the values that its variables have now. A model that is in the folder
    /// already is replaced; its file with the graph last.
    ///
    /// # Errors
    /// A signature without a name or with that of another, or with tensors that the graph does not have; a variable
    /// without a value; a file that cannot be read or written.
    pub fn save(&self, session: &Session, dir: impl AsRef<Path>) -> Result<()> {
        let dir = dir.as_ref();
        self.write(session, dir).context_with(|| format!("writing the SavedModel {}", dir.display()))
    }

    fn write(&self, session: &Session, dir: &Path) -> Result<()> {
        let mut graph = session.graph().snapshot();
        self.check(&graph)?;
        let signatures = signatures::add_all(&mut graph, &self.signatures)?;
        let variables = variables::find(&graph);
        let values = variables::read(session, &graph, &variables)?;
        let saved = saver::add(&mut graph, &variables)?;
        let parts = Parts {
            tags: if self.tags.is_empty() { vec![SERVE.to_owned()] } else { self.tags.clone() },
            graph: graph.to_def()?,
            ops: ops::used(&graph),
            descriptions: signatures.iter().filter_map(|(name, info)| descriptions::describe(name, info)).collect(),
            signatures: signatures.iter().map(|(name, info)| (name.clone(), info.message(&graph))).collect(),
            saver: saved.as_ref().map(|saved| saved.saver.clone()),
            variables: saved.map_or_else(Vec::new, |saved| saved.definitions),
            assets: assets::of(&graph, &self.assets)?,
            init_op: self.init_op.and_then(|node| graph.node(node)).map(|node| node.name().to_owned()),
        };
        files::create_folder(dir)?;
        if !values.is_empty() {
            variables::write(dir, &values)?;
        }
        parts.assets.iter().try_for_each(|asset| asset.copy_into(dir))?;
        files::replace(&dir.join(FILE), &message::saved_model(parts).encode_to_vec())
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        for (at, (name, _)) in self.signatures.iter().enumerate() {
            ensure!(!name.is_empty() && name != INIT_OP, "a signature cannot be named `{name}`");
            ensure!(self.signatures[..at].iter().all(|(other, _)| other != name), "two signatures are named `{name}`");
        }
        let known = self.init_op.is_none_or(|node| graph.node(node).is_some());
        ensure!(known, "the init op is no node of the session's graph");
        Ok(())
    }
}
