//! Files and folders of a model that is written.

use std::io::Write;
use std::path::Path;

use oplink_api::{Error, Result};

/// Makes a folder, and those that it is in.
pub(crate) fn create_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::io(format!("cannot make {}", folder.display()), error))
}

/// Copies a file; one that is there already stays.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let same = std::fs::canonicalize(from).is_ok_and(|from| std::fs::canonicalize(to).is_ok_and(|to| to == from));
    if same {
        return Ok(());
    }
    let doing = || format!("cannot copy {} to {}", from.display(), to.display());
    std::fs::copy(from, to).map(drop).map_err(|error| Error::io(doing(), error))
}

/// Writes a file, which gets its name when it is complete.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = Path::new(&temporary);
    let write = || {
        let mut file = std::fs::File::create(temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(temporary, path)
    };
    write().map_err(|error| {
        let _ = std::fs::remove_file(temporary);
        Error::io(format!("cannot write {}", path.display()), error)
    })
}
