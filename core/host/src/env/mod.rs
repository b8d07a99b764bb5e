//! Time, threads, files and libraries of the system, for plugins that must not care which system it is.

mod files;
mod libraries;
mod listing;
mod paths;
mod threads;
mod time;

pub use files::{
    TF_AppendWritableFile, TF_CloseWritableFile, TF_FlushWritableFile, TF_NewWritableFile, TF_SyncWritableFile,
};
pub use libraries::{TF_GetSymbolFromLibrary, TF_LoadSharedLibrary};
pub use listing::{
    TF_GetChildren, TF_GetLocalTempDirectories, TF_GetTempFileName, TF_StringStreamDone, TF_StringStreamNext,
};
pub use paths::{TF_CreateDir, TF_DeleteDir, TF_DeleteFile, TF_DeleteRecursively, TF_FileStat};
pub use threads::{TF_DefaultThreadOptions, TF_JoinThread, TF_StartThread};
pub use time::{TF_NowMicros, TF_NowNanos, TF_NowSeconds};

use oplink_api::{Code, Error, ErrorKind};

/// What the system said of a path.
fn failed(path: &str, error: &std::io::Error) -> Error {
    Error::new(Code::of_io_error(error), ErrorKind::Io, format!("{path}: {error}"))
}
