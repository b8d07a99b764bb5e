//! Models from files.

use std::path::Path;

use oplink::graph::{Graph, Node, PassOptions, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::saved_model::{MetaGraph, ModelFile};
use oplink::{Result, ResultExt, ensure};
use oplink_proto::GraphDef;

use crate::missing;

/// Reads the graph of a SavedModel, or a GraphDef.
///
/// # Errors
/// The file cannot be read, or is none of these; the error says what it is.
pub(crate) fn graph_def(path: &Path) -> Result<GraphDef> {
    match ModelFile::read(path)? {
        ModelFile::Graph(graph) => Ok(*graph),
        ModelFile::SavedModel(folder) => Ok(MetaGraph::read_default(folder)?.take_graph()),
    }
}

/// Reads a graph and checks it against the ops of this build.
pub(crate) fn graph(path: &Path) -> Result<Graph> {
    import(&graph_def(path)?, path)
}

/// Checks the graph of a file against the ops of this build.
pub(crate) fn import(def: &GraphDef, path: &Path) -> Result<Graph> {
    let registry = Registry::global()?;
    ensure!(!def.node.is_empty(), "{} has no nodes", path.display());
    missing::check(path, def, registry)?;
    Graph::import(def, registry).context_with(|| format!("importing {}", path.display()))
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
    prepare_nodes(graph, &fed)
}

/// Plans a run of every node, with these fed.
pub(crate) fn prepare_nodes(graph: Graph, fed: &[String]) -> Result<()> {
    let run = graph.nodes().iter().map(|node| node.name().to_owned()).filter(|name| !fed.contains(name));
    let run: Vec<String> = run.collect();
    let options = SessionOptions { passes: PassOptions::none(), ..SessionOptions::default() };
    Session::new(graph, options)?.prepare(&as_strs(fed), &[], &as_strs(&run)).map(drop)
}

pub(crate) fn as_strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
