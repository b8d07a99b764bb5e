//! Graphs from files.

use std::path::Path;

use oplink::graph::{Graph, Node, PassOptions, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Error, Result, ResultExt, ensure};
use oplink_proto::GraphDef;

use crate::missing;

/// Reads a GraphDef: text where the name ends in `.pbtxt`, binary otherwise.
///
/// # Errors
/// The file cannot be read, or is no GraphDef in that format.
pub(crate) fn graph_def(path: &Path) -> Result<GraphDef> {
    let malformed = |e: &dyn std::fmt::Display| Error::invalid_argument(format!("{}: {e}", path.display()));
    let def: GraphDef = if path.extension().is_some_and(|e| e == "pbtxt") {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io(path.display(), e))?;
        oplink_proto::from_text(&text).map_err(|e| malformed(&e))?
    } else {
        let bytes = std::fs::read(path).map_err(|e| Error::io(path.display(), e))?;
        ensure!(!bytes.is_empty(), "{} is an empty file, and no graph", path.display());
        oplink_proto::from_bytes(bytes).map_err(|e| malformed(&e))?
    };
    ensure!(!def.node.is_empty(), "{} has no nodes", path.display());
    Ok(def)
}

/// Reads a graph and checks it against the ops of this build.
pub(crate) fn graph(path: &Path) -> Result<Graph> {
    let (def, registry) = (graph_def(path)?, Registry::global()?);
    missing::check(path, &def, registry)?;
    Graph::import(&def, registry).context_with(|| format!("importing {}", path.display()))
}

/// The nodes that have outputs of which no node reads any.
pub(crate) fn unread_nodes(graph: &Graph) -> impl Iterator<Item = (usize, &Node)> {
    let mut read = vec![false; graph.nodes().len()];
    for input in graph.nodes().iter().flat_map(Node::inputs) {
        read[input.node as usize] = true;
    }
    graph.nodes().iter().enumerate().filter(move |&(at, node)| !read[at] && node.num_outputs() > 0)
}

/// Names of the nodes whose value is fed.
pub(crate) fn placeholders(graph: &Graph) -> Vec<String> {
    let is_fed = |node: &&Node| matches!(node.op_name(), "Placeholder" | "PlaceholderV2");
    graph.nodes().iter().filter(is_fed).map(|node| node.name().to_owned()).collect()
}

/// Plans a run of every node, with the placeholders fed: fails where a node has no kernel.
pub(crate) fn prepare_all(graph: Graph) -> Result<()> {
    let fed = placeholders(&graph);
    let run = graph.nodes().iter().map(|node| node.name().to_owned()).filter(|name| !fed.contains(name));
    let run: Vec<String> = run.collect();
    let options = SessionOptions { passes: PassOptions::none(), ..SessionOptions::default() };
    Session::new(graph, options)?.prepare(&as_strs(&fed), &[], &as_strs(&run)).map(drop)
}

pub(crate) fn as_strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
