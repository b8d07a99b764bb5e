//! Which program wrote the graph, and whether this one may read it.

use std::sync::Arc;

use oplink_api::{Error, ErrorKind, Result};
use oplink_proto::bytes::Bytes;
use oplink_proto::{GraphDef, VersionDef};

use crate::Graph;
use crate::graph::GRAPH_DEF_VERSION;
use crate::library::Functions;

/// Copies what a message holds besides its nodes.
pub(super) fn adopt(graph: &mut Graph, def: &GraphDef) -> Result<()> {
    graph.versions.clone_from(&def.versions);
    #[allow(deprecated, reason = "graphs from before `versions` have only this")]
    {
        graph.legacy_version = def.version;
    }
    graph.functions = Arc::new(Functions::from_library(def.library.as_ref())?);
    // A copy: what was decoded shares the bytes of the whole file.
    graph.debug_info = def.debug_info.as_deref().map(Bytes::copy_from_slice);
    let versions =
        def.versions.clone().unwrap_or(VersionDef { producer: graph.legacy_version, ..VersionDef::default() });
    match refusal(&versions) {
        None => Ok(()),
        Some(reason) => Err(Error::invalid_argument(reason).with_kind(ErrorKind::InvalidGraph)),
    }
}

/// Why a graph of these versions must not be read; `None` where it may.
pub(super) fn refusal(versions: &VersionDef) -> Option<String> {
    const THIS: i32 = GRAPH_DEF_VERSION;
    let VersionDef { producer, min_consumer, bad_consumers } = versions;
    if *producer < 0 {
        return Some(format!("the graph's producer version {producer} is below 0; make the graph anew"));
    }
    if *min_consumer > THIS {
        return Some(format!(
            "the graph asks for a runtime of GraphDef version {min_consumer} or later, this one is of {THIS} (TensorFlow 2.21)"
        ));
    }
    let refused = bad_consumers.contains(&THIS);
    refused.then(|| format!("the graph must not be read by runtimes of GraphDef version {THIS}, which this one is"))
}
