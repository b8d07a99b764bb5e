//! Names of files in strings: bytes on Unix, UTF-8 elsewhere.

use std::path::PathBuf;

use oplink::prelude::*;

/// The path of these bytes.
///
/// # Errors
/// None on Unix; elsewhere the bytes are not UTF-8.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems do not take all bytes")]
pub fn path(bytes: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(bytes).into())
}

/// The path of these bytes, which are UTF-8.
///
/// # Errors
/// They are not.
#[cfg(not(unix))]
pub fn path(bytes: &[u8]) -> Result<PathBuf> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(_) => bail!("the file name `{}` is not UTF-8", bytes.escape_ascii()),
    }
}
