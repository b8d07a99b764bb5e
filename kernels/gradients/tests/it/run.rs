//! Graphs of everything that is linked, and running them.

use oplink::prelude::*;
use oplink_core::Registry;
use oplink_graph::{Graph, Session, SessionOptions};

/// A graph without nodes.
pub(crate) fn graph() -> Graph {
    Graph::new(Registry::global().unwrap())
}

/// The values of these outputs.
pub(crate) fn values(graph: Graph, feeds: &[(&str, Tensor)], outputs: &[Output]) -> Result<Vec<Tensor>> {
    if outputs.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = outputs.iter().map(|&output| graph.output_name(output)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Session::new(graph, SessionOptions::default())?.run(feeds, &names, &[])
}
