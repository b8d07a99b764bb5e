//! Weights that a graph draws from seeds, made constants of it: as in a file that holds them.

use std::path::Path;

use oplink::Output;
use oplink_core::Registry;
use oplink_graph::{Graph, Session, SessionOptions};

use crate::Outcome;

/// What draws weights, and the end of its node's name, as `tests/tools/make_seeded.py` has them.
const DRAWS: &str = "StatelessRandomUniform";
const SUFFIX: &str = "/drawn";

/// The graph of a file, with a constant wherever weights are drawn.
pub(crate) fn load(path: &Path) -> Outcome<Graph> {
    let mut graph = Graph::load(path, Registry::global()?)?;
    let names: Vec<String> = graph
        .nodes()
        .iter()
        .filter(|node| node.op_name() == DRAWS)
        .filter_map(|node| node.name().strip_suffix(SUFFIX).map(|name| format!("{name}:0")))
        .collect();
    if names.is_empty() {
        return Ok(graph);
    }
    let drawing = Session::new(Graph::load(path, Registry::global()?)?, SessionOptions::default())?;
    let fetches: Vec<&str> = names.iter().map(String::as_str).collect();
    for (name, value) in fetches.iter().zip(drawing.run(&[], &fetches, &[])?) {
        let drawn = graph.output_named(name)?;
        let constant = graph.scope().constant_named(&format!("{}/value", name.trim_end_matches(":0")), value)?;
        for (node, index) in readers(&graph, drawn) {
            graph.set_input(node, index, constant)?;
        }
    }
    Ok(graph)
}

/// Nodes that read an output, with the number of their input.
fn readers(graph: &Graph, output: Output) -> Vec<(u32, usize)> {
    let inputs =
        graph.nodes().iter().enumerate().flat_map(|(node, of)| {
            of.inputs().iter().enumerate().map(move |(index, input)| (node as u32, index, *input))
        });
    inputs.filter(|(_, _, input)| *input == output).map(|(node, index, _)| (node, index)).collect()
}
