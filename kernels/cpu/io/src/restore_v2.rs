//! `RestoreV2`: tensors from a checkpoint in the tensor-bundle format.
//!
//! `prefix` is one string, `tensor_names` and `shape_and_slices` are vectors with an element an output. An empty shape
//! and slice reads the whole tensor; `4 3 0,2:-` reads rows 0 and 1 of a tensor of the shape [4, 3], whether it was
//! saved whole or in slices. Tensors are read in parallel, straight into the outputs' memory, and their checksums are
//! verified. It is an error when a name is not in the checkpoint, when a tensor's dtype is not its output's, when the
//! shape is not the saved one, when the saved slices leave gaps, and when a file is missing, incomplete or damaged.
//!
//! Where the checkpoint has no index, `prefix` is a pattern for the files of a checkpoint in the format before bundles.

use oplink::prelude::*;
use oplink_bundle::{BundleReader, index_path};
use oplink_ops::io::part;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::checkpoint::Tensors;
use super::checkpoint_v1;
use oplink_ops::io::RestoreV2;

/// `RestoreV2` of every dtype.
#[kernel(RestoreV2, device = CPU)]
pub fn restore_v2_cpu(
    prefix: &Tensor,
    tensor_names: &Tensor,
    shape_and_slices: &Tensor,
    mut tensors: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let count = tensors.len();
    let saved = Tensors::new(prefix, tensor_names, shape_and_slices, count)?;
    if !index_path(&saved.prefix).exists() {
        return restore_v1(&prefix.to_scalar()?, &saved, tensors);
    }
    let reader = BundleReader::open(&saved.prefix)?;
    for (name, tensor) in saved.names.iter().zip(tensors.iter_mut()) {
        if let Some(info) = reader.get(name) {
            ensure!(
                info.dtype == tensor.dtype(),
                "tensor {name:?} of checkpoint {} is of dtype {}, the output of {}",
                saved.prefix.display(),
                info.dtype,
                tensor.dtype()
            );
        }
    }
    let read: Vec<OnceLock<Result<Tensor>>> = (0..count).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    // Sizes differ widely: each thread takes the next tensor when it is done with one.
    let threads = env.intra_op_threads().min(count);
    env.parallel_for(threads, 1, &|range| {
        for _ in range {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = read.get(at) else { break };
                let _ = slot.set(restore(env, &reader, &saved.names[at], &saved.specs[at]));
            }
        }
    });
    for (mut tensor, slot) in tensors.into_slots().zip(read) {
        tensor.set(slot.into_inner().unwrap_or_else(|| Err(Error::internal("a tensor was not read")))?);
    }
    Ok(())
}

/// Restores from the files that the prefix, as a pattern, matches.
fn restore_v1(prefix: &TString, saved: &Tensors<'_>, tensors: OutputList<'_>) -> Result<()> {
    let reader = checkpoint_v1::open(prefix.as_bytes()).map_err(|error| match error.code() {
        Code::NotFound => error.context(format!("and there is no checkpoint index {prefix:?}.index")),
        _ => error,
    })?;
    for ((name, spec), mut tensor) in saved.names.iter().zip(saved.specs).zip(tensors.into_slots()) {
        tensor.set(checkpoint_v1::read(&reader, name, Some(spec), tensor.dtype())?);
    }
    Ok(())
}

fn restore(env: Env<'_>, reader: &BundleReader, name: &TString, spec: &TString) -> Result<Tensor> {
    let allocator = env.env().allocator();
    let Some(part) = part(spec)? else { return reader.read_in(name, allocator) };
    if let Some(info) = reader.get(name) {
        ensure!(
            *info.shape == part.shape,
            "tensor {name:?} of checkpoint {} has the shape {}, the shape and slice {spec:?} is of {}",
            reader.prefix().display(),
            info.shape,
            part.shape
        );
    }
    reader.read_slice_in(name, &part.slice, allocator)
}
