//! What the template of inference has beside its texts: the model, and the selection of what it needs.

use std::path::Path;

use oplink::graph::{Graph, Node};
use oplink::{Error, Result, ensure};

use super::File;
use crate::{freeze, load, select};

/// The model and its selection. In the texts, `{inputs}` and `{outputs}` become what is fed and fetched.
///
/// # Errors
/// The model is neither a frozen graph nor a SavedModel that can be frozen, or this build cannot run it.
pub(super) fn files(model: &Path, texts: &mut [(&'static str, String)]) -> Result<Vec<File>> {
    let shown = model.display();
    let (graph, bytes) = if model.is_dir() {
        let graph = freeze::frozen(model, None)?;
        let bytes = graph.to_bytes()?;
        (graph, bytes)
    } else {
        let bytes = std::fs::read(model).map_err(|e| Error::invalid_argument(format!("{shown}: {e}")))?;
        (load::graph(model)?, bytes)
    };
    let (inputs, outputs) = (inputs(&graph), outputs(&graph));
    let selection = select::selection_file(graph, "model.pb")?;
    ensure!(!outputs.is_empty(), "{shown} has no node whose output nobody reads, so that there is nothing to fetch");
    for (_, text) in texts {
        *text = text.replace("{inputs}", &inputs.join(", ")).replace("{outputs}", &outputs.join(", "));
    }
    Ok(vec![("model.pb", bytes), ("select.toml", selection.into_bytes())])
}

/// The placeholders in Rust: name, dtype, and shape with 1 for what is free.
fn inputs(graph: &Graph) -> Vec<String> {
    let names = load::placeholders(graph);
    let nodes = graph.nodes().iter().filter(|node| names.iter().any(|name| name == node.name()));
    nodes.map(|node| format!("({:?}, DType::{:?}, &{:?})", node.name(), dtype(node), shape(node))).collect()
}

fn dtype(node: &Node) -> oplink::DType {
    node.info().output_dtypes.first().copied().unwrap_or(oplink::DType::Float)
}

fn shape(node: &Node) -> Vec<usize> {
    let dims = node.output_shapes().first().and_then(|shape| shape.dims());
    dims.unwrap_or_default().iter().map(|dim| dim.unwrap_or(1)).collect()
}

/// The names of what no node reads, in Rust.
fn outputs(graph: &Graph) -> Vec<String> {
    load::unread_nodes(graph).map(|(_, node)| format!("{:?}", node.name())).collect()
}
