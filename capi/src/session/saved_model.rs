//! `TF_LoadSessionFromSavedModel`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_Buffer, TF_Graph, TF_Session, TF_SessionOptions};
use oplink_api::{Result, ResultExt, bail};
use oplink_graph::{MergeOptions, RunOptions};
use oplink_host::buffer::fill;
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice, text};
use oplink_proto::bytes::Bytes;
use oplink_saved_model::MetaGraph;

use super::{ClientOptions, ClientSession};
use crate::graph::{GraphState, share_graph};

fn load(
    graph: Arc<GraphState>,
    options: &ClientOptions,
    run_options: &RunOptions,
    dir: &Path,
    tags: &[&str],
    function: &str,
) -> Result<(ClientSession, Bytes)> {
    let mut meta = MetaGraph::read(dir, tags).context_with(|| function.to_owned())?;
    let def = meta.take_graph();
    graph.change(|graph| graph.import_into(def, &MergeOptions::default()))?;
    let session = ClientSession::new(graph, options)?;
    let initialization = meta.initialization(&session.graph().lock().graph)?;
    initialization.run(session.session(), &session.with_timeout(run_options))?;
    Ok((session, meta.bytes().clone()))
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
