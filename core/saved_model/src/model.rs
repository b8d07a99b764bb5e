//! `SavedModel`: a model that is loaded.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use oplink_api::spec::nearest;
use oplink_api::{Error, Result, ResultExt};
use oplink_core::{Device, Registry};
use oplink_graph::{Callable, Graph, RunOptions, Session, SessionOptions};

use crate::restore_objects::ObjectRestore;
use crate::{MetaGraph, ModelFile, Signature, SignatureInfo};

/// How a model is loaded.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// The tags of the graph to load; where there are none, the only graph or that for serving.
    pub tags: Vec<String>,
    /// How the session runs.
    pub session: SessionOptions,
    /// Limits of what loading runs, restoring and initializers: each run has them anew.
    pub run: RunOptions,
    /// The devices, those of the highest priority first; none for what the session's options name.
    pub devices: Vec<Arc<dyn Device>>,
    /// The ops and kernels; those that are linked where there are none.
    pub registry: Option<Arc<Registry>>,
}

/// A SavedModel that is loaded: its variables have their values, its initializers have run.
///
/// Signatures may be called from several threads at once. What they change of variables and tables stays changed for
/// later calls; [`SavedModel::save`] writes it.
#[derive(Debug)]
pub struct SavedModel {
    pub(crate) meta: MetaGraph,
    pub(crate) session: Session,
    /// Variables with values that the graph's saver does not write.
    pub(crate) outside_of_saver: usize,
    pub(crate) signatures: Vec<PreparedSignature>,
}

/// A signature, and its call once it was made.
#[derive(Debug)]
pub(crate) struct PreparedSignature {
    pub(crate) info: SignatureInfo,
    pub(crate) call: OnceLock<Callable>,
}

impl SavedModel {
    /// Loads the model in a folder: the only graph, or that with the tag `serve`.
    ///
    /// # Errors
    /// As [`SavedModel::load_with`].
    pub fn load(dir: impl AsRef<Path>) -> Result<Self> {
        Self::load_with(dir, &LoadOptions::default())
    }

    /// Loads the model in a folder.
    ///
    /// # Errors
    /// The folder holds no SavedModel, or none with these tags; the file, a variable's values or an asset are damaged
    /// or missing; the graph has ops that this build does not, or is malformed; an initializer fails. The error names
    /// the file.
    pub fn load_with(dir: impl AsRef<Path>, options: &LoadOptions) -> Result<Self> {
        let dir = match ModelFile::read(dir.as_ref())? {
            ModelFile::SavedModel(folder) => folder,
            ModelFile::Graph(_) => {
                let path = dir.as_ref().display();
                return Err(Error::invalid_argument(format!(
                    "{path} is a graph without variables and signatures; load it with `Graph::load`"
                )));
            }
        };
        let tags: Vec<&str> = options.tags.iter().map(String::as_str).collect();
        let meta = if tags.is_empty() { MetaGraph::read_default(&dir) } else { MetaGraph::read(&dir, &tags) }?;
        Self::of(meta, options)
    }

    /// Loads a graph that was read.
    ///
    /// # Errors
    /// As [`SavedModel::load_with`].
    pub fn of(mut meta: MetaGraph, options: &LoadOptions) -> Result<Self> {
        let registry = options.registry.clone().map_or_else(|| Registry::global().cloned(), Ok)?;
        let loading = |dir: &Path| format!("loading the SavedModel {}", dir.display());
        let signatures = meta.signatures()?;
        meta.check_variables()?;
        let mut graph = Graph::import(&meta.take_graph(), &registry).context_with(|| loading(meta.dir()))?;
        let initialization = meta.initialization(&graph)?;
        let objects = ObjectRestore::add(&meta, &mut graph)?;
        let session = match options.devices.as_slice() {
            [] => Session::new(graph, options.session.clone()),
            [only] => Session::on_device(graph, only.clone(), options.session.clone()),
            several => Session::on_devices(graph, several.to_vec(), options.session.clone()),
        }?;
        let run = &options.run;
        initialization.restore(&session, run)?;
        let outside_of_saver = objects.map_or(Ok(0), |objects| objects.run(&meta, &session, run))?;
        initialization.run_init_op(&session, run)?;
        let prepared = |info| PreparedSignature { info, call: OnceLock::new() };
        Ok(Self { meta, session, outside_of_saver, signatures: signatures.into_iter().map(prepared).collect() })
    }

    /// The folder that it was loaded from.
    pub fn dir(&self) -> &Path {
        self.meta.dir()
    }

    /// The tags of its graph.
    pub fn tags(&self) -> &[String] {
        self.meta.tags()
    }

    /// The session that holds its variables, for calls by names of tensors.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// All calls that it offers, in the order of their names; those for training too.
    pub fn signatures(&self) -> impl ExactSizeIterator<Item = Signature<'_>> {
        (0..self.signatures.len()).map(|at| Signature::new(self, at))
    }

    /// The call `name`, such as `serving_default`.
    ///
    /// # Errors
    /// `NotFound` where there is none; the message lists those that there are.
    pub fn signature(&self, name: &str) -> Result<Signature<'_>> {
        let at = self.signatures.iter().position(|signature| signature.info.name == name);
        at.map(|at| Signature::new(self, at)).ok_or_else(|| self.no_signature(name))
    }

    #[cold]
    fn no_signature(&self, name: &str) -> Error {
        let names = || self.signatures.iter().map(|signature| signature.info.name.as_str());
        let guess = nearest(name, names()).map_or_else(String::new, |guess| format!("; did you mean `{guess}`?"));
        let list = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let has = if list.is_empty() { "it has none".to_owned() } else { format!("it has {list}") };
        let dir = self.dir().display();
        Error::not_found(format!("the SavedModel {dir} has no signature `{name}`: {has}{guess}"))
    }
}
