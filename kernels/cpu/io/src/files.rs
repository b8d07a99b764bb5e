//! `ReadFile` and `WriteFile`: the whole contents of a file, as one string.
//!
//! `filename` and `contents` are scalars. `WriteFile` makes the file's folders where they are missing; a file of this
//! name is replaced. It is an error when the file cannot be read or written.

use super::paths::{scalar, scalar_path};
use oplink::prelude::*;
use oplink_bundle::file_error;
use oplink_ops::io::{ReadFile, WriteFile};
use std::fs;

/// `ReadFile`.
#[kernel(ReadFile, device = CPU)]
pub fn read_file_cpu(filename: &Tensor) -> Result<TString> {
    let path = scalar_path(filename, "filename")?;
    let contents = fs::read(&path).map_err(|error| file_error("read", &path, &error))?;
    Ok(TString::new(contents))
}

/// `WriteFile`.
#[kernel(WriteFile, device = CPU)]
pub fn write_file_cpu(filename: &Tensor, contents: &Tensor) -> Result<()> {
    let path = scalar_path(filename, "filename")?;
    let contents = scalar(contents, "contents")?;
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        fs::create_dir_all(folder).map_err(|error| file_error("create folder", folder, &error))?;
    }
    fs::write(&path, contents.as_bytes()).map_err(|error| file_error("write", &path, &error))
}
