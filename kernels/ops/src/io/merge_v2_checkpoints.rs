//! `MergeV2Checkpoints`: several checkpoints into one, as the last step of a save in parts.
//!
//! `checkpoint_prefixes` is a vector, `destination_prefix` a scalar. The data files are renamed, the parts' indexes
//! give way to one. With `delete_old_dirs`, folders of the parts that are left empty are removed, unless the merged
//! checkpoint is in them. It is an error, which changes nothing, when a part is missing (with `allow_missing_files`:
//! when all are), when a name is in several parts other than in slices, and when a file cannot be read or renamed.

use oplink::prelude::*;

/// Merges checkpoints that were saved in parts.
#[op("MergeV2Checkpoints",
     input = "checkpoint_prefixes: string",
     input = "destination_prefix: string",
     attr = "delete_old_dirs: bool = true",
     attr = "allow_missing_files: bool = false",
     stateful,
     shape = merge_shape)]
pub struct MergeV2Checkpoints;

fn merge_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.with_rank(1, 0).map(drop)
}
