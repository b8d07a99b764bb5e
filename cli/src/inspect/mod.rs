//! `oplink graph`: what a graph is, and what this build lacks to run it.

mod needs;
mod saved_model;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use oplink::graph::Graph;
use oplink::runtime::Registry;
use oplink::saved_model::{MetaGraph, ModelFile};
use oplink::{AttrMap, Output, Result, ResultExt, ensure};
use oplink_proto::GraphDef;

use crate::{load, missing};
use needs::Part;

pub(crate) fn inspect(path: &Path) -> Result<ExitCode> {
    let folder = match ModelFile::read(path)? {
        ModelFile::Graph(def) => {
            ensure!(!def.node.is_empty(), "{} has no nodes", path.display());
            print!("{}: ", path.display());
            return graph(&def, &[]);
        }
        ModelFile::SavedModel(folder) => folder,
    };
    let graphs = MetaGraph::read_all(&folder)?;
    ensure!(!graphs.is_empty(), "the SavedModel {} has no graph", folder.display());
    let mut code = ExitCode::SUCCESS;
    for (at, mut meta) in graphs.into_iter().enumerate() {
        if at > 0 {
            println!();
        }
        saved_model::show(&meta)?;
        let def = meta.take_graph();
        if graph(&def, &saved_model::parts(&meta, &def)?)? != ExitCode::SUCCESS {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// Prints what a graph is made of, and whether this build runs it: the parts of it that users call, where there are
/// some, else all of it.
fn graph(def: &GraphDef, parts: &[Part<'_>]) -> Result<ExitCode> {
    let functions = def.library.as_ref().map_or(0, |library| library.function.len());
    let producer = def.versions.as_ref().map_or(0, |versions| versions.producer);
    println!("{} nodes, {functions} functions, producer version {producer}", def.node.len());
    let registry = Registry::global()?;
    let missing = missing::missing_ops(def, registry);
    count_ops(def);
    let mut can_run = true;
    if !missing.is_empty() {
        println!("\nops this build lacks:\n{}", missing::describe(&missing));
    }
    for lacks in &missing {
        can_run &= !parts.is_empty() && !show_who_needs(lacks.op(), parts);
    }
    if !can_run {
        return Ok(ExitCode::FAILURE);
    }
    let graph = Graph::import(def, registry)?;
    if parts.is_empty() {
        signature(&graph);
    }
    let is_needed = |name: &str| missing.is_empty() || parts.iter().any(|part| part.needs.functions.contains(name));
    match functions_have_kernels(&graph, is_needed).and_then(|()| load::prepare_all(graph)) {
        Ok(()) if missing.is_empty() => println!("\nevery node has a kernel"),
        Ok(()) => println!("\nevery node that a signature needs has a kernel"),
        Err(error) => {
            println!("\nthis build cannot run the graph: {error}");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints which parts of a model need an op; whether any does.
fn show_who_needs(op: &str, parts: &[Part<'_>]) -> bool {
    let needing = parts.iter().filter(|part| part.needs.ops.contains(op));
    let names: Vec<&str> = needing.map(|part| part.name.as_str()).collect();
    match names.is_empty() {
        true => println!("  no signature needs {op}"),
        false => println!("  {op} is needed by {}", names.join(", ")),
    }
    !names.is_empty()
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

/// Prepares the bodies of the graph's functions that are needed.
fn functions_have_kernels(graph: &Graph, is_needed: impl Fn(&str) -> bool) -> Result<()> {
    for name in graph.function_names().filter(|name| is_needed(name)) {
        let body = graph.function_graph(name, &AttrMap::new())?;
        load::prepare_nodes(body.graph, &body.arguments).context_with(|| format!("in the function `{name}`"))?;
    }
    Ok(())
}
