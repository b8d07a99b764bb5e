//! `oplink graph`: what a graph is, and what this build lacks to run it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use oplink::graph::Graph;
use oplink::runtime::Registry;
use oplink::{Output, Result};
use oplink_proto::GraphDef;

use crate::{load, missing};

pub(crate) fn inspect(path: &Path) -> Result<ExitCode> {
    let def = load::graph_def(path)?;
    let functions = def.library.as_ref().map_or(0, |library| library.function.len());
    let producer = def.versions.as_ref().map_or(0, |versions| versions.producer);
    println!("{}: {} nodes, {functions} functions, producer version {producer}", path.display(), def.node.len());
    let registry = Registry::global()?;
    let missing = missing::missing_ops(&def, registry);
    count_ops(&def);
    if !missing.is_empty() {
        println!("\nops this build lacks:\n{}", missing::describe(&missing));
        return Ok(ExitCode::FAILURE);
    }
    let graph = Graph::import(&def, registry)?;
    signature(&graph);
    Ok(kernels(graph))
}

fn count_ops(def: &GraphDef) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let in_functions = def.library.iter().flat_map(|library| &library.function).flat_map(|function| &function.node_def);
    for node in def.node.iter().chain(in_functions) {
        *counts.entry(&node.op).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(op, count)| (std::cmp::Reverse(count), op));
    println!("\nops:");
    for (op, count) in counts {
        println!("  {count:6} {op}");
    }
}

fn signature(graph: &Graph) {
    let show = |node: usize| {
        let node_ref = &graph.nodes()[node];
        for index in 0..node_ref.num_outputs() {
            let output = Output { node: node as u32, index: index as u32 };
            let dtype = graph.dtype(output).map_or("?", |d| d.name());
            println!("  {}: {dtype} {}", graph.output_name(output), graph.shape(output));
        }
    };
    println!("\ninputs:");
    (0..graph.nodes().len()).filter(|&n| graph.nodes()[n].op_name() == "Placeholder").for_each(show);
    println!("\noutputs that no node reads:");
    load::unread_nodes(graph).for_each(|(node, _)| show(node));
}

/// Prepares every node to tell whether one lacks a kernel.
fn kernels(graph: Graph) -> ExitCode {
    match load::prepare_all(graph) {
        Ok(()) => {
            println!("\nevery node has a kernel");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("\nthis build cannot run the graph: {error}");
            ExitCode::FAILURE
        }
    }
}
