//! Errors about files: what was being done, to which file, why it failed and what helps.

use std::io;
use std::path::Path;

use oplink_api::{Code, Error, ErrorKind};

/// An error of the file system, under the status code that TensorFlow gives it. `doing` completes "cannot …".
pub fn file_error(doing: &str, path: &Path, error: &io::Error) -> Error {
    let message = format!("cannot {doing} {}: {error}", path.display());
    Error::new(Code::of_io_error(error), ErrorKind::Io, message).with_source(same_error(error))
}

/// An error of the same kind and text; `io::Error` is not `Clone`.
fn same_error(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(number) => io::Error::from_raw_os_error(number),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// The file's contents are not what its format demands.
#[cold]
pub(crate) fn damaged(path: &Path, why: impl std::fmt::Display) -> Error {
    let message = format!(
        "checkpoint file {} is damaged or incomplete: {why}; restore the file from a copy, or use another checkpoint",
        path.display()
    );
    Error::new(Code::DataLoss, ErrorKind::Io, message)
}

/// A tensor's name for messages: its text, with what is not printable escaped.
pub(crate) fn shown(name: &[u8]) -> String {
    name.escape_ascii().to_string()
}
