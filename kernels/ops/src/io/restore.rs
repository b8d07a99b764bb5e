//! `Restore` and `RestoreSlice`: a tensor from files in the format before bundles.
//!
//! All inputs have one element. `file_pattern` names the files, in which the tensor's slices may be spread; the attr
//! `preferred_shard` is a hint that changes nothing. An empty `shape_and_slice` reads the whole tensor; `4 3 0,2:-`
//! reads rows 0 and 1 of a tensor of the shape [4, 3]. It is an error when no file matches, when a file is incomplete,
//! damaged or of another format, when no file has the tensor, when its dtype is not `dt` or its shape not the one
//! given, and when the saved slices leave gaps.

use super::checkpoint::part;
use oplink::prelude::*;

/// Restores a tensor from files.
#[op("Restore",
     input = "file_pattern: string",
     input = "tensor_name: string",
     output = "tensor: dt",
     attr = "dt: type",
     attr = "preferred_shard: int = -1",
     stateful,
     shape = restore_shape)]
pub struct Restore;

/// Restores part of a tensor from files.
#[op("RestoreSlice",
     input = "file_pattern: string",
     input = "tensor_name: string",
     input = "shape_and_slice: string",
     output = "tensor: dt",
     attr = "dt: type",
     attr = "preferred_shard: int = -1",
     stateful,
     shape = restore_shape)]
pub struct RestoreSlice;

fn restore_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    for index in 0..c.num_inputs() {
        c.with_rank(index, 0)?;
    }
    let spec = c.input_tensor(2).map(|spec| part(&spec.to_scalar::<TString>()?)).transpose()?;
    if let Some(part) = spec.flatten() {
        c.set_output(0, part.slice_shape);
    }
    Ok(())
}
