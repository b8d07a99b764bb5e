//! Saving and restoring in the format before bundles.

use std::path::PathBuf;

use oplink::prelude::*;
use oplink_bundle::{V1Reader, V1Writer};
use oplink_cpu_support::matching::matching_paths;

use super::paths::path;
use oplink_ops::io::part;

/// The single string of an input of any shape with one element.
pub(super) fn single<'a>(tensor: &'a Tensor, name: &str) -> Result<&'a TString> {
    match tensor.as_slice::<TString>()? {
        [value] => Ok(value),
        _ => bail!("{name} must have one element, it has shape {}", tensor.shape()),
    }
}

/// Saves tensors under their names into the file of this name, whole or as the parts that `specs` say.
pub(super) fn save(filename: &Tensor, names: &Tensor, specs: Option<&Tensor>, values: &[Tensor]) -> Result<()> {
    let mut writer = V1Writer::new(path(single(filename, "filename")?.as_bytes())?);
    let names = one_each(names, values, "tensor_names")?;
    let specs = specs.map(|specs| one_each(specs, values, "shapes_and_slices")).transpose()?;
    for (index, (name, value)) in names.iter().zip(values).enumerate() {
        match specs.map_or(Ok(None), |specs| part(&specs[index]))? {
            None => writer.add(name, value)?,
            Some(part) => writer.add_slice(name, &part.shape, &part.slice, value)?,
        }
    }
    writer.finish()
}

/// The strings of an input that has one for each tensor.
fn one_each<'a>(strings: &'a Tensor, values: &[Tensor], name: &str) -> Result<&'a [TString]> {
    let strings = strings.as_slice::<TString>()?;
    ensure!(strings.len() == values.len(), "{} tensors are given {} {name}", values.len(), strings.len());
    Ok(strings)
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
