//! `ReadFile`: the whole contents of a file, as one string.
//!
//! `filename` is a scalar. It is an error when the file cannot be read.

use std::fs;

use oplink::prelude::*;
use oplink_bundle::file_error;

use super::paths::scalar_path;
use super::shapes;

/// Reads a file.
#[op("ReadFile", input = "filename: string", output = "contents: string", shape = shapes::scalars)]
pub struct ReadFile;

/// `ReadFile`.
#[kernel(ReadFile, device = CPU)]
pub fn read_file_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let path = scalar_path(context, 0, "filename")?;
    let contents = fs::read(&path).map_err(|error| file_error("read", &path, &error))?;
    context.set_scalar(0, TString::new(contents));
    Ok(())
}
