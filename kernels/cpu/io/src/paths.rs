//! Names of files in string tensors: bytes on Unix, UTF-8 elsewhere.

use std::path::PathBuf;

use oplink::prelude::*;

pub(super) use oplink_cpu_support::paths::path;

/// The string of an input that must be a scalar.
pub(super) fn scalar<'a>(tensor: &'a Tensor, name: &str) -> Result<&'a TString> {
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    Ok(&tensor.as_slice::<TString>()?[0])
}

/// The path that a scalar input names.
pub(super) fn scalar_path(tensor: &Tensor, name: &str) -> Result<PathBuf> {
    path(scalar(tensor, name)?.as_bytes())
}
