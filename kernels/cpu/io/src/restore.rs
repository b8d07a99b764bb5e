//! `Restore` and `RestoreSlice`: a tensor from files in the format before bundles.
//!
//! All inputs have one element. `file_pattern` names the files, in which the tensor's slices may be spread; the attr
//! `preferred_shard` is a hint that changes nothing. An empty `shape_and_slice` reads the whole tensor; `4 3 0,2:-`
//! reads rows 0 and 1 of a tensor of the shape [4, 3]. It is an error when no file matches, when a file is incomplete,
//! damaged or of another format, when no file has the tensor, when its dtype is not `dt` or its shape not the one
//! given, and when the saved slices leave gaps.

use super::checkpoint_v1::{open, read, single};
use oplink::prelude::*;
use oplink_ops::io::{Restore, RestoreSlice};

/// `Restore` and `RestoreSlice` of the dtypes that the format has.
#[kernel(Restore, device = CPU, dt = any)]
#[kernel(RestoreSlice, device = CPU, dt = any)]
pub fn restore_cpu(
    file_pattern: &Tensor,
    tensor_name: &Tensor,
    shape_and_slice: Option<&Tensor>,
    mut tensor: OutputSlot<'_>,
) -> Result<()> {
    let pattern = single(file_pattern, "file_pattern")?;
    let name = single(tensor_name, "tensor_name")?;
    let spec = shape_and_slice.map(|spec| single(spec, "shape_and_slice")).transpose()?;
    tensor.set(read(&open(pattern.as_bytes())?, name, spec, tensor.dtype())?);
    Ok(())
}
