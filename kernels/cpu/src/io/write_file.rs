//! `WriteFile`: a string as the whole contents of a file.
//!
//! `filename` and `contents` are scalars. The file's folders are made where they are missing; a file of this name is
//! replaced. It is an error when the file cannot be written.

use std::fs;

use oplink::prelude::*;
use oplink_bundle::file_error;

use super::paths::{scalar, scalar_path};
use super::shapes;

/// Writes a file.
#[op("WriteFile", input = "filename: string", input = "contents: string", stateful, shape = shapes::scalars)]
pub struct WriteFile;

/// `WriteFile`.
#[kernel(WriteFile, device = CPU)]
pub fn write_file_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let path = scalar_path(context, 0, "filename")?;
    let contents = scalar(context, 1, "contents")?;
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        fs::create_dir_all(folder).map_err(|error| file_error("create folder", folder, &error))?;
    }
    fs::write(&path, contents.as_bytes()).map_err(|error| file_error("write", &path, &error))
}
