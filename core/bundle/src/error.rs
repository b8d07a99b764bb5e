//! Errors about files: what was being done, to which file, why it failed and what helps.

use std::io;
use std::path::Path;

use oplink_api::{Code, Error, ErrorKind};

/// An error of the file system, under the status code that TensorFlow gives it. `doing` completes "cannot …".
pub fn file_error(doing: &str, path: &Path, error: &io::Error) -> Error {
    let code = match error.kind() {
        io::ErrorKind::NotFound => Code::NotFound,
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => Code::AlreadyExists,
        io::ErrorKind::PermissionDenied => Code::PermissionDenied,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::OutOfMemory => {
            Code::ResourceExhausted
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory | io::ErrorKind::ReadOnlyFilesystem => {
            Code::FailedPrecondition
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => Code::InvalidArgument,
        io::ErrorKind::UnexpectedEof => Code::DataLoss,
        io::ErrorKind::Unsupported => Code::Unimplemented,
        _ => Code::Unknown,
    };
    Error::new(code, ErrorKind::Resource, format!("cannot {doing} {}: {error}", path.display()))
}

/// The file's contents are not what its format demands.
#[cold]
pub(crate) fn damaged(path: &Path, why: impl std::fmt::Display) -> Error {
    let message = format!(
        "checkpoint file {} is damaged or incomplete: {why}; restore the file from a copy, or use another checkpoint",
        path.display()
    );
    Error::new(Code::DataLoss, ErrorKind::Resource, message)
}

/// A tensor's name for messages: its text, with what is not printable escaped.
pub(crate) fn shown(name: &[u8]) -> String {
    name.escape_ascii().to_string()
}
