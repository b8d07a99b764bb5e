//! `TF_LoadSessionFromSavedModel`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_Buffer, TF_Graph, TF_Session, TF_SessionOptions};
use oplink_api::{Code, Error, ErrorKind, Output, Result, ResultExt, TString, Tensor, bail};
use oplink_graph::{MergeOptions, RunOptions};
use oplink_host::buffer::fill;
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice, text};
use oplink_proto::collection_def::Kind;
use oplink_proto::{AssetFileDef, MetaGraphDef};
use prost::Name;

use super::{ClientOptions, ClientSession, Request};
use crate::graph::{GraphState, share_graph};
use crate::support::decode;

/// A saved model whose graphs are still bytes, so that the one which is loaded goes to the client as it was written.
#[derive(Clone, PartialEq, prost::Message)]
struct Bundle {
    #[prost(bytes = "vec", repeated, tag = "2")]
    meta_graphs: Vec<Vec<u8>>,
}

impl Name for Bundle {
    const NAME: &'static str = "SavedModel";
    const PACKAGE: &'static str = "tensorflow";
}

/// The graph of these tags: its bytes, and what they say.
fn read(dir: &Path, tags: &[&str], function: &str) -> Result<(Vec<u8>, MetaGraphDef)> {
    let file = dir.join("saved_model.pb");
    let bytes = std::fs::read(&file).map_err(|error| {
        let message = format!("{function}: no SavedModel at {}: {error}", file.display());
        Error::new(Code::of_io_error(&error), ErrorKind::Io, message).with_source(error)
    })?;
    let bundle: Bundle = decode(&bytes, function, "saved_model.pb")?;
    let mut present = Vec::new();
    for bytes in bundle.meta_graphs {
        let meta: MetaGraphDef = decode(&bytes, function, "saved_model.pb")?;
        let theirs = meta.meta_info_def.as_ref().map_or(&[][..], |info| &info.tags);
        if theirs.iter().all(|tag| tags.contains(&tag.as_str()))
            && tags.iter().all(|tag| theirs.iter().any(|t| t == tag))
        {
            return Ok((bytes, meta));
        }
        present.push(format!("{{{}}}", theirs.join(", ")));
    }
    let message = format!(
        "{function}: the SavedModel has no graph of the tags {{{}}}; it has {}",
        tags.join(", "),
        present.join(" ")
    );
    Err(Error::new(Code::NotFound, ErrorKind::InvalidArgument, message))
}

/// What is run once a graph is there.
struct Loader<'a> {
    dir: &'a Path,
    meta: &'a MetaGraphDef,
    session: &'a ClientSession,
    options: &'a RunOptions,
}

impl Loader<'_> {
    fn restore(&self) -> Result<()> {
        let Some(saver) = &self.meta.saver_def else { return Ok(()) };
        let prefix = self.dir.join("variables").join("variables");
        if saver.restore_op_name.is_empty() || !prefix.with_extension("index").exists() {
            return Ok(());
        }
        let mut feeds = self.assets()?;
        feeds.push((saver.filename_tensor_name.clone(), string(&prefix)));
        self.run(&saver.restore_op_name, feeds).context_with(|| "restoring the variables of a SavedModel")
    }

    fn initialize(&self) -> Result<()> {
        match self.init_op()? {
            Some(op) => self.run(&op, self.assets()?).context_with(|| "running the init op of a SavedModel"),
            None => Ok(()),
        }
    }

    /// The node to run at the end, as newer and older programs name it.
    fn init_op(&self) -> Result<Option<String>> {
        const SIGNATURE: &str = "__saved_model_init_op";
        let info = self.meta.signature_def.get(SIGNATURE).and_then(|signature| signature.outputs.get(SIGNATURE));
        if let Some(oplink_proto::tensor_info::Encoding::Name(name)) = info.and_then(|info| info.encoding.as_ref()) {
            return Ok(Some(node_of(name).to_owned()));
        }
        for collection in ["saved_model_main_op", "legacy_init_op"] {
            let kind = self.meta.collection_def.get(collection).and_then(|collection| collection.kind.as_ref());
            match kind {
                Some(Kind::NodeList(list)) => match list.value.as_slice() {
                    [] => {}
                    [one] => return Ok(Some(node_of(one).to_owned())),
                    several => bail!("the SavedModel has {} nodes in `{collection}`, one is expected", several.len()),
                },
                Some(_) => bail!("the SavedModel has no names in `{collection}`"),
                None => {}
            }
        }
        Ok(None)
    }

    /// Files that the graph reads, and the tensors that take their paths.
    fn assets(&self) -> Result<Vec<(String, Tensor)>> {
        let mut assets: Vec<AssetFileDef> = self.meta.asset_file_def.clone();
        let kind = self.meta.collection_def.get("saved_model_assets").and_then(|collection| collection.kind.as_ref());
        if let (true, Some(Kind::AnyList(list))) = (assets.is_empty(), kind) {
            let each = list.value.iter().map(|any| decode(&any.value, "TF_LoadSessionFromSavedModel", "an asset"));
            assets = each.collect::<Result<_>>()?;
        }
        let feed = |asset: AssetFileDef| {
            let encoding = asset.tensor_info.and_then(|info| info.encoding);
            let Some(oplink_proto::tensor_info::Encoding::Name(name)) = encoding else {
                bail!("the asset `{}` of the SavedModel names no tensor", asset.filename)
            };
            Ok((name, string(&self.dir.join("assets").join(&asset.filename))))
        };
        assets.into_iter().map(feed).collect()
    }

    fn run(&self, target: &str, feeds: Vec<(String, Tensor)>) -> Result<()> {
        let (outputs, target) = {
            let inner = self.session.graph().lock();
            let outputs: Result<Vec<Output>> = feeds.iter().map(|(name, _)| inner.graph.output_named(name)).collect();
            (outputs?, inner.graph.node_named(target)?)
        };
        let values = feeds.into_iter().map(|(_, value)| value).collect();
        let request = Request { feeds: outputs, values, fetches: Vec::new(), targets: vec![target] };
        self.session.run(request, self.options).map(drop)
    }
}

fn node_of(name: &str) -> &str {
    name.split_once(':').map_or(name, |(node, _)| node)
}

fn string(path: &Path) -> Tensor {
    Tensor::scalar(TString::from(path.to_string_lossy().into_owned()))
}

fn load(
    graph: Arc<GraphState>,
    options: &ClientOptions,
    run_options: &RunOptions,
    dir: &Path,
    tags: &[&str],
    function: &str,
) -> Result<(ClientSession, Vec<u8>)> {
    let (bytes, mut meta) = read(dir, tags, function)?;
    let def = meta.graph_def.take().unwrap_or_default();
    graph.change(|graph| graph.import_into(def, &MergeOptions::default()))?;
    let session = ClientSession::new(graph, options)?;
    let loader = Loader { dir, meta: &meta, session: &session, options: run_options };
    loader.restore()?;
    loader.initialize()?;
    Ok((session, bytes))
}

c_api! {
    /// A session on the graph of a SavedModel that has these tags, with its variables restored and initialised. The
    /// nodes go to `graph`, which must have none yet, and the serialized `MetaGraphDef` to `meta_graph_def`.
    ///
    /// # Safety
    /// The handles are null or alive; the strings are null or terminated; `tags` holds `tags_len` strings.
    fn TF_LoadSessionFromSavedModel(
        session_options: *const TF_SessionOptions,
        run_options: *const TF_Buffer,
        export_dir: *const c_char,
        tags: *const *const c_char,
        tags_len: c_int,
        graph: *mut TF_Graph,
        meta_graph_def: *mut TF_Buffer;
        status
    ) -> (*mut TF_Session = ptr::null_mut()) {
        // SAFETY: `session_options` is null or alive, `run_options` is null or alive, `export_dir` is null or a
        // terminated string, `tags` is null or has `tags_len` elements and `graph` is null or alive (Safety section).
        let (graph, options, run_options, dir, tags) = unsafe {
            let tags = slice(tags, tags_len, NAME, "tags")?.iter().map(|&tag| text(tag, NAME, "tags"));
            (
                share_graph(graph, NAME, "graph")?,
                ClientOptions::borrow(session_options, NAME)?,
                super::run::run_options(run_options, NAME)?,
                text(export_dir, NAME, "export_dir")?,
                tags.collect::<Result<Vec<_>>>()?,
            )
        };
        if !graph.lock().graph.nodes().is_empty() {
            bail!("{NAME}: `graph` has nodes already; a SavedModel is loaded into a new graph");
        }
        let (session, bytes) = load(graph, options, &run_options, Path::new(dir), &tags, NAME)?;
        if !meta_graph_def.is_null() {
            // SAFETY: `meta_graph_def` is null or alive (Safety section).
            fill(unsafe { borrow_mut(meta_graph_def, NAME, "meta_graph_def") }?, &bytes);
        }
        Ok(session.into_handle())
    }
}
