//! What is run once a model's graph is there: variables are restored, then the initializer runs. Both are fed the paths
//! of assets.

use std::collections::BTreeMap;
use std::path::Path;

use oplink_api::{Code, Error, ErrorKind, Output, Result, ResultExt, Tensor, bail};
use oplink_bundle::index_path;
use oplink_graph::{FeedShapes, Graph, RunOptions, Session};
use oplink_proto::collection_def::Kind;
use oplink_proto::tensor_info::Encoding;
use oplink_proto::{AssetFileDef, MetaGraphDef};

use crate::checkpoint_path::{path_tensor, variables_prefix};
use crate::{ASSETS, INIT_OP, MetaGraph};

/// The tensor or node that a message names.
pub(crate) fn encoded_name(info: Option<&oplink_proto::TensorInfo>) -> Option<&str> {
    match info?.encoding.as_ref()? {
        Encoding::Name(name) => Some(name),
        _ => None,
    }
}

/// What restores and initialises a model in a session on its graph.
#[derive(Debug)]
pub struct Initialization {
    restore: Option<Step>,
    init_op: Option<Step>,
}

/// A node to run.
#[derive(Debug)]
struct Step {
    /// What it is for.
    purpose: String,
    feeds: Vec<Output>,
    values: Vec<Tensor>,
    target: u32,
}

impl Initialization {
    /// Restores the variables, then runs the initializer.
    ///
    /// # Errors
    /// A checkpoint that is damaged, incomplete or another model's; an error of a kernel.
    pub fn run(&self, session: &Session, options: &RunOptions) -> Result<()> {
        self.restore(session, options)?;
        self.run_init_op(session, options)
    }

    /// Restores the variables.
    pub(crate) fn restore(&self, session: &Session, options: &RunOptions) -> Result<()> {
        self.restore.as_ref().map_or(Ok(()), |step| step.run(session, options))
    }

    /// Runs the initializer.
    pub(crate) fn run_init_op(&self, session: &Session, options: &RunOptions) -> Result<()> {
        self.init_op.as_ref().map_or(Ok(()), |step| step.run(session, options))
    }
}

impl Step {
    fn run(&self, session: &Session, options: &RunOptions) -> Result<()> {
        let run = || {
            let call = session.prepare_outputs(&self.feeds, &[], &[self.target], FeedShapes::Static)?;
            call.run_with(options, self.values.clone(), &mut Vec::new())
        };
        run().map(drop).context_with(|| self.purpose.clone())
    }
}

impl MetaGraph {
    /// What is to be run in a session on `graph`, which has the nodes of this one. A model whose variables' files are
    /// missing altogether is left without values, as TensorFlow's C library does; see [`MetaGraph::check_variables`].
    ///
    /// # Errors
    /// An asset is missing; several initializers; names that the graph does not have.
    pub fn initialization(&self, graph: &Graph) -> Result<Initialization> {
        let dir = self.dir().display();
        let prefix = variables_prefix(self.dir());
        let saver = self.def().saver_def.as_ref().filter(|saver| !saver.restore_op_name.is_empty());
        let restore = saver.filter(|_| index_path(&prefix).exists()).map(|saver| {
            let file = (saver.filename_tensor_name.clone(), path_tensor(&prefix));
            self.step(graph, format!("restoring the variables of {dir}"), &saver.restore_op_name, Some(file))
        });
        let init_op =
            init_op(self.def())?.map(|op| self.step(graph, format!("running the init op of {dir}"), op, None));
        Ok(Initialization { restore: restore.transpose()?, init_op: init_op.transpose()? })
    }

    /// Names of the nodes that loading runs: the one that restores the variables, and the initializer.
    ///
    /// # Errors
    /// There are several initializers.
    pub fn nodes_run_by_loading(&self) -> Result<Vec<&str>> {
        let restore = self.def().saver_def.as_ref().map(|saver| saver.restore_op_name.as_str());
        Ok(restore.filter(|name| !name.is_empty()).into_iter().chain(init_op(self.def())?).collect())
    }

    /// The run of a node that is fed the paths of assets, and what else is given.
    fn step(&self, graph: &Graph, purpose: String, node: &str, more: Option<(String, Tensor)>) -> Result<Step> {
        let resolve = || {
            let (names, values): (Vec<String>, Vec<Tensor>) = self.asset_feeds()?.into_iter().chain(more).unzip();
            let feeds = names.iter().map(|name| graph.output_named(name)).collect::<Result<_>>()?;
            Ok((feeds, values, graph.node_named(node_of(node))?))
        };
        let (feeds, values, target) = resolve().context_with(|| purpose.clone())?;
        Ok(Step { purpose, feeds, values, target })
    }

    /// Whether the file with the values of the variables is there, where the model has variables.
    ///
    /// # Errors
    /// `NotFound` where it is not.
    pub fn check_variables(&self) -> Result<()> {
        let index = index_path(variables_prefix(self.dir()));
        let count = self.num_variables();
        if count == 0 || index.exists() {
            return Ok(());
        }
        let message = format!(
            "{} is missing, so the model's {count} variables have no values; copy the folder `variables` along with the model",
            index.display()
        );
        Err(Error::new(Code::NotFound, ErrorKind::Io, message))
    }

    /// The tensors that take the paths of assets, with those paths. A graph may list an asset several times.
    fn asset_feeds(&self) -> Result<Vec<(String, Tensor)>> {
        let folder = self.dir().join(ASSETS);
        let files = asset_files(self.def())?;
        let feeds: BTreeMap<String, Tensor> =
            files.iter().map(|asset| feed_asset(&folder, asset)).collect::<Result<_>>()?;
        Ok(feeds.into_iter().collect())
    }
}

fn feed_asset(folder: &Path, asset: &AssetFileDef) -> Result<(String, Tensor)> {
    let path = folder.join(&asset.filename);
    if !path.exists() {
        let message =
            format!("the asset {} is missing; copy the folder `{ASSETS}` along with the model", path.display());
        return Err(Error::new(Code::NotFound, ErrorKind::Io, message));
    }
    let Some(name) = encoded_name(asset.tensor_info.as_ref()) else {
        bail!("the asset `{}` names no tensor", asset.filename)
    };
    Ok((name.to_owned(), path_tensor(&path)))
}

/// Files that the graph reads, as newer and older programs write them.
pub(crate) fn asset_files(def: &MetaGraphDef) -> Result<Vec<AssetFileDef>> {
    let kind = def.collection_def.get("saved_model_assets").and_then(|collection| collection.kind.as_ref());
    match kind {
        Some(Kind::AnyList(list)) if def.asset_file_def.is_empty() => {
            let decode = |any: &oplink_proto::google::Any| {
                oplink_proto::from_bytes(any.value.clone()).map_err(|e| Error::invalid_argument(e.to_string()))
            };
            list.value.iter().map(decode).collect()
        }
        _ => Ok(def.asset_file_def.clone()),
    }
}

/// The node to run when the model is loaded, as newer and older programs name it.
fn init_op(def: &MetaGraphDef) -> Result<Option<&str>> {
    let signature = def.signature_def.get(INIT_OP).and_then(|signature| signature.outputs.get(INIT_OP));
    if let Some(name) = encoded_name(signature) {
        return Ok(Some(node_of(name)));
    }
    for collection in ["saved_model_main_op", "legacy_init_op"] {
        match def.collection_def.get(collection).and_then(|collection| collection.kind.as_ref()) {
            Some(Kind::NodeList(list)) => match list.value.as_slice() {
                [] => {}
                [one] => return Ok(Some(node_of(one))),
                several => bail!("the SavedModel has {} nodes in `{collection}`, one is expected", several.len()),
            },
            Some(_) => bail!("the SavedModel has no names in `{collection}`"),
            None => {}
        }
    }
    Ok(None)
}

/// The node of a tensor's name.
pub(crate) fn node_of(name: &str) -> &str {
    name.split_once(':').map_or(name, |(node, _)| node)
}
