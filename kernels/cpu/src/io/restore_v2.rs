//! `RestoreV2`: tensors from a checkpoint in the tensor-bundle format.
//!
//! `prefix` is one string, `tensor_names` and `shape_and_slices` are vectors with an element an output. An empty shape and
//! slice reads the whole tensor; `4 3 0,2:-` reads rows 0 and 1 of a tensor of the shape [4, 3], whether it was saved
//! whole or in slices. Tensors are read in parallel, straight into the outputs' memory, and their checksums are verified.
//! It is an error when a name is not in the checkpoint, when a tensor's dtype is not its output's, when the shape is not the
//! saved one, when the saved slices leave gaps, and when a file is missing, incomplete or damaged.
//!
//! Where the checkpoint has no index, `prefix` is a pattern for the files of a checkpoint in the format before bundles.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use oplink::prelude::*;
use oplink_bundle::{BundleReader, index_path};

use super::checkpoint::{Tensors, part};
use super::{checkpoint_v1, shapes};

/// Restores tensors from a checkpoint.
#[op("RestoreV2",
     input = "prefix: string",
     input = "tensor_names: string",
     input = "shape_and_slices: string",
     output = "tensors: dtypes",
     attr = "dtypes: list(type) >= 1",
     stateful,
     shape = restore_shape)]
pub struct RestoreV2;

fn restore_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shapes::checkpoint(c, 2, c.num_outputs())?;
    let Some(specs) = c.input_tensor(2).cloned() else { return Ok(()) };
    for (index, spec) in specs.as_slice::<TString>()?.iter().enumerate() {
        if let Some(part) = part(spec)? {
            c.set_output(index, part.slice_shape);
        }
    }
    Ok(())
}

/// `RestoreV2` of every dtype.
#[kernel(RestoreV2, device = CPU)]
pub fn restore_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let count = context.num_outputs();
    let tensors = Tensors::new(context, count)?;
    if !index_path(&tensors.prefix).exists() {
        return restore_v1(context);
    }
    let reader = BundleReader::open(&tensors.prefix)?;
    for (name, &dtype) in tensors.names.iter().zip(&context.node().output_dtypes) {
        if let Some(info) = reader.get(name) {
            ensure!(
                info.dtype == dtype,
                "tensor {name:?} of checkpoint {} is of dtype {}, the output of {dtype}",
                tensors.prefix.display(),
                info.dtype
            );
        }
    }
    let read: Vec<OnceLock<Result<Tensor>>> = (0..count).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    // Sizes differ widely: each thread takes the next tensor when it is done with one.
    let threads = context.env().intra_op_threads().min(count);
    context.env().parallel_for(threads, 1, &|range| {
        for _ in range {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = read.get(at) else { break };
                let _ = slot.set(restore(context, &reader, &tensors.names[at], &tensors.specs[at]));
            }
        }
    });
    for (index, slot) in read.into_iter().enumerate() {
        let tensor = slot.into_inner().unwrap_or_else(|| Err(Error::internal("a tensor was not read")))?;
        context.set_output(index, tensor);
    }
    Ok(())
}

/// Restores from the files that the prefix, as a pattern, matches.
fn restore_v1(context: &mut KernelContext<'_>) -> Result<()> {
    let [prefix, names, specs] = [0, 1, 2].map(|index| context.input(index).clone());
    let prefix = prefix.to_scalar::<TString>()?;
    let reader = checkpoint_v1::open(prefix.as_bytes()).map_err(|error| match error.code() {
        Code::NotFound => error.context(format!("and there is no checkpoint index {prefix:?}.index")),
        _ => error,
    })?;
    for (index, (name, spec)) in names.as_slice::<TString>()?.iter().zip(specs.as_slice()?).enumerate() {
        let tensor = checkpoint_v1::read(&reader, name, Some(spec), context.node().output_dtypes[index])?;
        context.set_output(index, tensor);
    }
    Ok(())
}

fn restore(context: &KernelContext<'_>, reader: &BundleReader, name: &TString, spec: &TString) -> Result<Tensor> {
    let allocator = context.env().allocator();
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
