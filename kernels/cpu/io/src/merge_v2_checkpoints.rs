//! `MergeV2Checkpoints`: several checkpoints into one, as the last step of a save in parts.
//!
//! `checkpoint_prefixes` is a vector, `destination_prefix` a scalar. The data files are renamed, the parts' indexes
//! give way to one. With `delete_old_dirs`, folders of the parts that are left empty are removed, unless the merged
//! checkpoint is in them. It is an error, which changes nothing, when a part is missing (with `allow_missing_files`:
//! when all are), when a name is in several parts other than in slices, and when a file cannot be read or renamed.

use super::paths::{path, scalar_path};
use oplink::prelude::*;
use oplink_bundle::merge_bundles;
use oplink_ops::io::MergeV2Checkpoints;
use std::fs;
use std::path::{Path, PathBuf};

/// `MergeV2Checkpoints`.
#[kernel(MergeV2Checkpoints, device = CPU)]
pub fn merge_v2_checkpoints_cpu(
    checkpoint_prefixes: &Tensor,
    destination_prefix: &Tensor,
    delete_old_dirs: bool,
    allow_missing_files: bool,
) -> Result<()> {
    let prefixes = checkpoint_prefixes;
    ensure!(prefixes.rank() == 1, "checkpoint_prefixes must be a vector, it has shape {}", prefixes.shape());
    let prefixes = prefixes.as_slice::<TString>()?.iter().map(|prefix| path(prefix.as_bytes()));
    let prefixes: Vec<PathBuf> = prefixes.collect::<Result<_>>()?;
    let destination = scalar_path(destination_prefix, "destination_prefix")?;
    merge_bundles(&prefixes, &destination, allow_missing_files)?;
    if delete_old_dirs {
        let folders = prefixes.iter().filter_map(|prefix| prefix.parent());
        for folder in folders.filter(|folder| Some(*folder) != destination.parent() && *folder != Path::new("")) {
            // Only what is empty; several parts may have been in one folder.
            let _ = fs::remove_dir(folder);
        }
    }
    Ok(())
}
