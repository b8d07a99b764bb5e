//! What a SavedModel says of itself: tags, variables, assets, signatures.

use std::path::Path;

use oplink::Result;
use oplink::saved_model::{MetaGraph, SignatureInfo, TensorInfo};
use oplink_proto::GraphDef;

use super::needs::{Needs, Part};

/// Prints a graph of a SavedModel as its users see it.
pub(super) fn show(meta: &MetaGraph) -> Result<()> {
    let signatures = meta.signatures()?;
    println!("{}: SavedModel for {}{}", meta.dir().display(), meta.tags().join(", "), contents(meta));
    println!("\nsignatures:");
    if signatures.is_empty() {
        println!("  none; name tensors of the graph with --feed and --fetch");
    }
    signatures.iter().for_each(show_signature);
    if let Some(signature) = signatures.iter().find(|s| s.name == "serving_default").or(signatures.first()) {
        println!("\ncall one: {}", command(meta.dir(), signature));
    }
    println!();
    Ok(())
}

/// The signatures, and what runs when the model is loaded, with what each needs.
pub(super) fn parts<'d>(meta: &MetaGraph, def: &'d GraphDef) -> Result<Vec<Part<'d>>> {
    let loading = meta.nodes_run_by_loading()?;
    let mut parts = vec![Part { name: "loading".to_owned(), needs: Needs::of(def, &loading) }];
    for signature in meta.signatures()? {
        let outputs: Vec<&str> = signature.outputs.iter().map(|output| output.tensor.as_str()).collect();
        parts.push(Part { name: signature.name.clone(), needs: Needs::of(def, &outputs) });
    }
    Ok(parts)
}

fn contents(meta: &MetaGraph) -> String {
    let writer = meta.def().meta_info_def.as_ref().map_or("", |info| &info.tensorflow_version);
    let writer = if writer.is_empty() { String::new() } else { format!(", in the form of TensorFlow {writer}") };
    let variables = plural(meta.num_variables(), "variable");
    let assets = meta.assets().unwrap_or_default();
    let named = if assets.is_empty() { String::new() } else { format!(" ({})", assets.join(", ")) };
    format!("{writer}; {variables}, {}{named}", plural(assets.len(), "asset"))
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn show_signature(signature: &SignatureInfo) {
    println!("  {}{}", signature.name, words(&signature.description));
    let width = signature.inputs.iter().chain(&signature.outputs).map(|tensor| tensor.name.len()).max().unwrap_or(0);
    for (side, tensors) in [("input", &signature.inputs), ("output", &signature.outputs)] {
        tensors.iter().for_each(|tensor| println!("    {side:6} {}", line(tensor, width)));
    }
}

fn line(tensor: &TensorInfo, width: usize) -> String {
    let name = &tensor.name;
    let kind = match tensor.dtype {
        Some(dtype) => format!("{dtype} {}", tensor.shape),
        None => "run for its effect".to_owned(),
    };
    let default = tensor.default.as_ref().map_or_else(String::new, |value| format!(", by default {value}"));
    format!("{name:width$}  {kind}{default}{}", words(&tensor.description))
}

fn words(description: &str) -> String {
    if description.is_empty() { String::new() } else { format!(": {}", description.replace('\n', "\n      ")) }
}

/// How the signature is called, with what to fill in.
fn command(dir: &Path, signature: &SignatureInfo) -> String {
    let inputs = signature.inputs.iter().filter(|input| input.default.is_none());
    let inputs = inputs.map(|input| format!(" --input {}=VALUE", input.name)).collect::<String>();
    format!("oplink run {} --signature {}{inputs}", dir.display(), signature.name)
}
