//! Files that a written graph reads.

use std::path::{Path, PathBuf};

use oplink_api::{DType, Error, Output, Result, ResultExt, bail, ensure};
use oplink_graph::Graph;
use oplink_proto::{AssetFileDef, TensorInfo};

use super::files::{copy, create_folder};
use super::signatures::tensor_info;
use crate::ASSETS;

/// A file, and the tensor that takes its path.
#[derive(Debug)]
pub(crate) struct Asset {
    file: PathBuf,
    /// The name in the folder of assets.
    name: String,
    tensor: TensorInfo,
}

impl Asset {
    pub(super) fn message(&self) -> AssetFileDef {
        AssetFileDef { tensor_info: Some(self.tensor.clone()), filename: self.name.clone() }
    }

    /// Copies the file into a model's folder.
    pub(super) fn copy_into(&self, dir: &Path) -> Result<()> {
        let folder = dir.join(ASSETS);
        create_folder(&folder)?;
        copy(&self.file, &folder.join(&self.name))
    }
}

/// The assets, with names that are unique in their folder.
pub(super) fn of(graph: &Graph, given: &[(Output, PathBuf)]) -> Result<Vec<Asset>> {
    let mut assets: Vec<Asset> = Vec::with_capacity(given.len());
    for (tensor, file) in given {
        let context = || format!("the asset {}", file.display());
        graph.check_output(*tensor).context_with(context)?;
        ensure!(graph.dtype(*tensor) == Some(DType::String), "the asset {} is for no string tensor", file.display());
        let file = std::fs::canonicalize(file).map_err(|error| Error::io(file.display(), error))?;
        let name = name_of(&file, &assets)?;
        assets.push(Asset { name, file, tensor: tensor_info(graph, *tensor) });
    }
    Ok(assets)
}

/// The file's own name, with a number behind it where another file has it.
fn name_of(file: &Path, assets: &[Asset]) -> Result<String> {
    let Some(own) = file.file_name().and_then(|name| name.to_str()) else {
        bail!("the asset {} has no name in UTF-8", file.display())
    };
    let is_free = |name: &str| assets.iter().all(|asset| asset.name != name || asset.file == file);
    let numbered = (1..).map(|number| format!("{own}_{number}"));
    let name = std::iter::once(own.to_owned()).chain(numbered).find(|name| is_free(name));
    Ok(name.unwrap_or_default())
}
