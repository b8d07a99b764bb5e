//! `oplink select`: the ops and dtypes that graphs need, as a selection file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use oplink::graph::{Graph, Node, PassOptions};
use oplink::spec::ScalarKind;
use oplink::{AttrMap, AttrValue, DType, Error, Result};

use crate::{Plugins, load, selection_check};

/// Make a selection.
#[derive(Args)]
pub(crate) struct SelectArguments {
    /// Graphs whose needs are united
    #[arg(required_unless_present = "check")]
    graphs: Vec<PathBuf>,
    /// The file to write; standard output without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Check a selection file instead: its names are those of ops, and it has what the graphs need
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,
    #[command(flatten)]
    plugins: Plugins,
}

/// The dtypes of a node's type attrs, each with the attr's name.
type Row = Vec<(String, DType)>;

/// For each op, the dtypes of its type attrs in the graphs' nodes.
type Selection = BTreeMap<String, Vec<Row>>;

pub(crate) fn select(arguments: &SelectArguments) -> Result<ExitCode> {
    arguments.plugins.load()?;
    let selection = needs_of(&arguments.graphs)?;
    if let Some(file) = &arguments.check {
        let needs = selection.iter().flat_map(|(op, rows)| rows.iter().map(|row| (op.as_str(), row.clone())));
        let ops = selection_check::check(file, &needs.collect())?;
        println!("{}: {ops} ops, as this build declares them", file.display());
        return Ok(ExitCode::SUCCESS);
    }
    let text = render(&selection, &arguments.graphs);
    match &arguments.output {
        Some(path) => {
            std::fs::write(path, text).map_err(|e| Error::invalid_argument(format!("{}: {e}", path.display())))?;
            let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            println!("{} ops; build with OPLINK_SELECTION={}", selection.len(), path.display());
        }
        None => print!("{text}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// A selection file with what a graph needs, which is called so in it.
///
/// # Errors
/// This build lacks a kernel for it.
pub(crate) fn selection_file(graph: Graph, name: &str) -> Result<String> {
    let mut selection = Selection::new();
    add_graph(graph, &mut selection)?;
    Ok(render(&selection, &[name.into()]))
}

fn needs_of(graphs: &[PathBuf]) -> Result<Selection> {
    let mut selection = Selection::new();
    for path in graphs {
        add_graph(load::graph(path)?, &mut selection)?;
    }
    Ok(selection)
}

/// Adds the nodes of the graph and of its functions, each of which must have a kernel, and what the passes make of
/// them.
fn add_graph(graph: Graph, selection: &mut Selection) -> Result<()> {
    for name in graph.function_names() {
        let function = graph.function_graph(name, &AttrMap::new())?;
        add_part(&function.graph, &function.arguments, &function.results, &function.effects, selection)?;
    }
    let feeds = load::placeholders(&graph);
    let (fetches, targets) = graph.sinks();
    add_part(&graph, &feeds, &fetches, &targets, selection)?;
    load::prepare_all(graph)
}

fn add_part(
    graph: &Graph,
    feeds: &[String],
    fetches: &[String],
    targets: &[String],
    selection: &mut Selection,
) -> Result<()> {
    graph.nodes().iter().for_each(|node| add_node(node, selection));
    if fetches.is_empty() && targets.is_empty() {
        return Ok(());
    }
    let names = load::as_strs;
    let optimized = graph.optimized(&names(feeds), &names(fetches), &names(targets), &PassOptions::default())?;
    optimized.graph.nodes().iter().for_each(|node| add_node(node, selection));
    Ok(())
}

fn add_node(node: &Node, selection: &mut Selection) {
    let mut row = Row::new();
    for attr in node.info().op.attrs.iter().filter(|a| a.kind.scalar == ScalarKind::Type && !a.kind.list) {
        if let Some(AttrValue::Type(dtype)) = node.info().attrs.get(&attr.name) {
            row.push((attr.name.clone(), *dtype));
        }
    }
    let rows = selection.entry(node.op_name().to_owned()).or_default();
    if !rows.contains(&row) {
        rows.push(row);
    }
}

/// `SrcT=uint8 DstT=float`.
fn text_of(row: &Row) -> String {
    let pairs: Vec<String> = row.iter().map(|(attr, dtype)| format!("{attr}={dtype}")).collect();
    pairs.join(" ")
}

fn render(selection: &Selection, graphs: &[PathBuf]) -> String {
    let graphs: Vec<String> = graphs.iter().map(|g| g.display().to_string()).collect();
    let mut text = format!("# What these graphs need: {}\nversion = 1\n\n[ops]\n", graphs.join(", "));
    for (op, rows) in selection {
        let plain = op.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let key = if plain { op.clone() } else { format!("\"{op}\"") };
        let value = if rows.contains(&Row::new()) {
            "\"all\"".to_owned()
        } else {
            let mut rows: Vec<String> = rows.iter().map(|row| format!("\"{}\"", text_of(row))).collect();
            rows.sort();
            format!("[{}]", rows.join(", "))
        };
        let _ = writeln!(text, "{key} = {value}");
    }
    text
}
