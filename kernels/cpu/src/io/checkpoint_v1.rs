//! Saving and restoring in the format before bundles.

use std::path::PathBuf;

use oplink::prelude::*;
use oplink_bundle::{V1Reader, V1Writer};

use super::checkpoint::part;
use super::matching::matching_paths;
use super::paths::path;

/// The single string of an input of any shape with one element.
fn single<'a>(context: &'a KernelContext<'_>, index: usize, name: &str) -> Result<&'a TString> {
    match context.input(index).as_slice::<TString>()? {
        [value] => Ok(value),
        _ => bail!("{name} must have one element, it has shape {}", context.input(index).shape()),
    }
}

/// Saves the inputs after the first `fixed` ones: a file name, names, and where there are three shapes and slices.
pub(super) fn save(context: &KernelContext<'_>, fixed: usize) -> Result<()> {
    let mut writer = V1Writer::new(path(single(context, 0, "filename")?.as_bytes())?);
    let values = &context.inputs()[fixed..];
    let strings = |index: usize, name: &str| {
        let strings = context.input(index).as_slice::<TString>()?;
        ensure!(strings.len() == values.len(), "{} tensors are given {} {name}", values.len(), strings.len());
        Ok(strings)
    };
    let names = strings(1, "tensor_names")?;
    let specs = if fixed == 3 { Some(strings(2, "shapes_and_slices")?) } else { None };
    for (index, (name, value)) in names.iter().zip(values).enumerate() {
        match specs.map_or(Ok(None), |specs| part(&specs[index]))? {
            None => writer.add(name, value)?,
            Some(part) => writer.add_slice(name, &part.shape, &part.slice, value)?,
        }
    }
    writer.finish()
}

/// Restores the single output from the files that the first input's pattern matches; the second input names the
/// tensor, a third one the part of it.
pub(super) fn restore(context: &KernelContext<'_>) -> Result<Tensor> {
    let pattern = single(context, 0, "file_pattern")?;
    let name = single(context, 1, "tensor_name")?;
    let spec = if context.num_inputs() == 3 { Some(single(context, 2, "shape_and_slice")?) } else { None };
    read(&open(pattern.as_bytes())?, name, spec, context.node().output_dtypes[0])
}

/// The checkpoint of the files that a pattern matches.
pub(super) fn open(pattern: &[u8]) -> Result<V1Reader> {
    let paths = matching_paths(pattern)?;
    if paths.is_empty() {
        return Err(Error::not_found(format!("no checkpoint file matches `{}`", pattern.escape_ascii())));
    }
    let paths: Result<Vec<PathBuf>> = paths.iter().map(|name| path(name)).collect();
    V1Reader::open(&paths?)
}

/// A tensor, or the part of it that `spec` says, of the dtype that the output has.
pub(super) fn read(reader: &V1Reader, name: &TString, spec: Option<&TString>, dtype: DType) -> Result<Tensor> {
    let part = spec.map_or(Ok(None), part)?;
    if let Some(info) = reader.get(name) {
        ensure!(info.dtype == dtype, "tensor {name:?} is saved as {}, the output is of dtype {dtype}", info.dtype);
        if let Some(part) = &part {
            let (saved, given) = (info.shape, &part.shape);
            ensure!(saved == given, "tensor {name:?} has the shape {saved}, the shape and slice is of {given}");
        }
    }
    match part {
        None => reader.read(name),
        Some(part) => reader.read_slice(name, &part.slice),
    }
}
