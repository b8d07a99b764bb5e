//! Graphs from files.

use std::path::Path;

use oplink::core::Registry;
use oplink::graph::{Graph, Node, Session, SessionOptions};
use oplink::{Error, Result};
use oplink_proto::GraphDef;

/// Reads a GraphDef: text where the name ends in `.pbtxt`, binary otherwise.
pub(crate) fn graph_def(path: &Path) -> Result<GraphDef> {
    let failed = |e: &dyn std::fmt::Display| Error::invalid_argument(format!("{}: {e}", path.display()));
    if path.extension().is_some_and(|e| e == "pbtxt") {
        let text = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
        oplink_proto::from_text(&text).map_err(|e| failed(&e))
    } else {
        let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
        oplink_proto::from_bytes(bytes).map_err(|e| failed(&e))
    }
}

/// Reads a graph and checks it against the ops of this build.
pub(crate) fn graph(path: &Path) -> Result<Graph> {
    Graph::load(path, Registry::global()?)
}

/// The nodes that have outputs of which no node reads any.
pub(crate) fn unread_nodes(graph: &Graph) -> impl Iterator<Item = (usize, &Node)> {
    let mut read = vec![false; graph.nodes().len()];
    for input in graph.nodes().iter().flat_map(Node::inputs) {
        read[input.node as usize] = true;
    }
    graph.nodes().iter().enumerate().filter(move |&(at, node)| !read[at] && node.num_outputs() > 0)
}

/// Plans a run of every node, with the placeholders fed: fails where a node has no kernel.
pub(crate) fn prepare_all(graph: Graph) -> Result<()> {
    let is_fed = |node: &&Node| matches!(node.op_name(), "Placeholder" | "PlaceholderV2");
    let (fed, run): (Vec<&Node>, Vec<&Node>) = graph.nodes().iter().partition(is_fed);
    let names = |nodes: Vec<&Node>| nodes.iter().map(|node| node.name().to_owned()).collect::<Vec<_>>();
    let (fed, run) = (names(fed), names(run));
    let session = Session::new(graph, SessionOptions::default())?;
    session.prepare(&as_strs(&fed), &[], &as_strs(&run)).map(drop)
}

fn as_strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
