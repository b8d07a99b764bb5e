//! Where libraries are found that are named without a folder.

use std::env;
use std::path::{Path, PathBuf};

use oplink_api::Result;

use super::library::Library;
use super::{elf, refusal};

/// How a library is named.
#[derive(Clone, Copy)]
pub(super) enum Naming {
    /// By its file. A name without a folder that is no file is searched as the dynamic linker does.
    File,
    /// As the dynamic linker takes it: a name without a folder is searched. Where nothing is found, it is a file.
    Linker,
}

/// What is to be opened.
pub(super) enum Found {
    /// A file, of which the headers are good.
    File(PathBuf),
    /// A name that the dynamic linker resolves itself: through its cache, or by folders of its own.
    Name(PathBuf),
}

/// The library of a name.
///
/// # Errors
/// There is no such file, or it is no library for this process.
pub(super) fn find(name: &Path, naming: Naming) -> Result<Found> {
    let is_bare = name.components().count() == 1 && !name.as_os_str().as_encoded_bytes().contains(&b'/');
    let is_searched = match naming {
        Naming::File => is_bare && !name.exists(),
        Naming::Linker => is_bare,
    };
    if is_searched {
        if let Some(path) = Library::loaded(name.as_os_str()) {
            return Ok(Found::File(path));
        }
        match in_search_path(name) {
            Some(Ok(path)) => return Ok(Found::File(path)),
            Some(Err(error)) => return Err(error),
            None if !name.exists() => return Ok(Found::Name(name.to_owned())),
            None => {}
        }
    }
    let path = std::fs::canonicalize(name).map_err(|error| refusal::no_file(name, &error))?;
    elf::check(&path).map(|()| Found::File(path))
}

/// The first library for this machine of that name in the folders of `LD_LIBRARY_PATH`, or why it is none.
fn in_search_path(name: &Path) -> Option<Result<PathBuf>> {
    let folders = env::var_os("LD_LIBRARY_PATH")?;
    let mut first = None;
    for path in env::split_paths(&folders).map(|folder| folder.join(name)).filter(|path| path.is_file()) {
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        match elf::check(&path) {
            Ok(()) => return Some(Ok(path)),
            Err(error) => first = first.or(Some(Err(error))),
        }
    }
    first
}
