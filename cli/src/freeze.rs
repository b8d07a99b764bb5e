//! `oplink freeze`: a signature of a SavedModel as a graph in one file, with its variables as constants.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use oplink::graph::{Graph, Node};
use oplink::{Error, Result, SavedModel, bail};

use crate::{Plugins, load};

/// The signature that servers call where a request names none.
const DEFAULT_SIGNATURE: &str = "serving_default";

/// Freeze a model.
#[derive(Args)]
pub(crate) struct FreezeArguments {
    /// The folder of a SavedModel
    model: PathBuf,
    /// The signature; without it `serving_default`, or the only one
    #[arg(long, value_name = "NAME")]
    signature: Option<String>,
    /// The file to write, a GraphDef
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    plugins: Plugins,
}

pub(crate) fn freeze(arguments: &FreezeArguments) -> Result<ExitCode> {
    arguments.plugins.load()?;
    let graph = frozen(&arguments.model, arguments.signature.as_deref())?;
    let (path, bytes) = (arguments.output.display(), graph.to_bytes()?);
    std::fs::write(&arguments.output, &bytes).map_err(|e| Error::invalid_argument(format!("{path}: {e}")))?;
    let outputs: Vec<&str> = load::unread_nodes(&graph).map(|(_, node): (usize, &Node)| node.name()).collect();
    let size = bytes.len().div_ceil(1000);
    println!(
        "{path}: {} nodes, {size} kB; takes {}, gives {}",
        graph.nodes().len(),
        load::placeholders(&graph).join(", "),
        outputs.join(", ")
    );
    Ok(ExitCode::SUCCESS)
}

/// The graph of a signature.
///
/// # Errors
/// The folder is no SavedModel, or the signature does more than computing values from its inputs.
pub(crate) fn frozen(model: &Path, signature: Option<&str>) -> Result<Graph> {
    let model = SavedModel::load(model)?;
    let name = signature_name(&model, signature)?;
    model.signature(&name)?.freeze()
}

/// The name of the signature that is meant.
pub(crate) fn signature_name(model: &SavedModel, wanted: Option<&str>) -> Result<String> {
    if let Some(name) = wanted {
        return model.signature(name).map(|signature| signature.name().to_owned());
    }
    let names: Vec<&str> = model.signatures().map(|signature| signature.name()).collect();
    match names[..] {
        [] => bail!(
            "{} has no signatures; name tensors of its graph with --feed and --fetch, which `oplink graph` shows",
            model.dir().display()
        ),
        [only] => Ok(only.to_owned()),
        _ if names.contains(&DEFAULT_SIGNATURE) => Ok(DEFAULT_SIGNATURE.to_owned()),
        _ => {
            bail!("{} has several signatures; choose one with --signature: {}", model.dir().display(), names.join(", "))
        }
    }
}
