//! Names of files in string tensors: bytes on Unix, UTF-8 elsewhere.

use std::path::PathBuf;

use oplink::prelude::*;

/// The string of an input that must be a scalar.
pub(super) fn scalar<'a>(tensor: &'a Tensor, name: &str) -> Result<&'a TString> {
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    Ok(&tensor.as_slice::<TString>()?[0])
}

/// The path that a scalar input names.
pub(super) fn scalar_path(tensor: &Tensor, name: &str) -> Result<PathBuf> {
    path(scalar(tensor, name)?.as_bytes())
}

/// The path of these bytes.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems do not take all bytes")]
pub(super) fn path(bytes: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(bytes).into())
}

/// The path of these bytes, which are UTF-8.
#[cfg(not(unix))]
pub(super) fn path(bytes: &[u8]) -> Result<PathBuf> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(_) => bail!("the file name `{}` is not UTF-8", bytes.escape_ascii()),
    }
}
