//! `ReadFile` and `WriteFile`: the whole contents of a file, as one string.
//!
//! `filename` and `contents` are scalars. `WriteFile` makes the file's folders where they are missing; a file of this
//! name is replaced. It is an error when the file cannot be read or written.

use super::paths::{scalar, scalar_path};
use oplink::memory::try_reserve;
use oplink::prelude::*;
use oplink_bundle::file_error;
use oplink_ops::io::{ReadFile, WriteFile};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Bytes that are read between two looks at the step.
const BLOCK: usize = 1 << 20;

/// `ReadFile`.
#[kernel(ReadFile, device = CPU)]
pub fn read_file_cpu(filename: &Tensor, mut contents: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    contents.set_scalar(TString::new(read(&scalar_path(filename, "filename")?, env)?));
    Ok(())
}

/// All bytes of a file.
pub(super) fn read(path: &Path, env: Env<'_>) -> Result<Vec<u8>> {
    let failed = |error: io::Error| file_error("read", path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    loop {
        env.poll();
        let room = BLOCK.max(bytes.len() / 2);
        try_reserve(&mut bytes, room)?;
        if file.by_ref().take(BLOCK as u64).read_to_end(&mut bytes).map_err(failed)? == 0 {
            return Ok(bytes);
        }
    }
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
