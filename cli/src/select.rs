//! `oplink select`: the ops and dtypes that graphs need, as a selection file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use oplink::graph::{Graph, Node, PassOptions};
use oplink::spec::ScalarKind;
use oplink::{AttrMap, AttrValue, Error, Result};

use crate::load;

/// Make a selection.
#[derive(Args)]
pub(crate) struct SelectArguments {
    /// Graphs whose needs are united
    #[arg(required = true)]
    graphs: Vec<PathBuf>,
    /// The file to write; standard output without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// For each op, the dtypes of its type attrs in the graphs' nodes.
type Selection = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn select(arguments: &SelectArguments) -> Result<ExitCode> {
    let mut selection = Selection::new();
    for path in &arguments.graphs {
        add_graph(load::graph(path)?, &mut selection)?;
    }
    let text = render(&selection, arguments);
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
    let mut row = String::new();
    for attr in node.info().op.attrs.iter().filter(|a| a.kind.scalar == ScalarKind::Type && !a.kind.list) {
        if let Some(AttrValue::Type(dtype)) = node.info().attrs.get(&attr.name) {
            let separator = if row.is_empty() { "" } else { " " };
            let _ = write!(row, "{separator}{}={dtype}", attr.name);
        }
    }
    selection.entry(node.op_name().to_owned()).or_default().insert(row);
}

fn render(selection: &Selection, arguments: &SelectArguments) -> String {
    let graphs: Vec<String> = arguments.graphs.iter().map(|g| g.display().to_string()).collect();
    let mut text = format!("# What these graphs need: {}\nversion = 1\n\n[ops]\n", graphs.join(", "));
    for (op, rows) in selection {
        let plain = op.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let key = if plain { op.clone() } else { format!("\"{op}\"") };
        let value = if rows.contains("") {
            "\"all\"".to_owned()
        } else {
            let rows: Vec<String> = rows.iter().map(|row| format!("\"{row}\"")).collect();
            format!("[{}]", rows.join(", "))
        };
        let _ = writeln!(text, "{key} = {value}");
    }
    text
}
