//! Files that appear whole or not at all: written under a temporary name, then renamed.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use oplink_api::{Error, Result};

use crate::error::file_error;

/// Held while the files of one checkpoint get their names, so that those of two of one prefix do not mix.
static TURN: Mutex<()> = Mutex::new(());
/// Bytes that are gathered before they are written; larger pieces are written as they are.
const BUFFER: usize = 1 << 18;

/// A name beside `path` that no other writer uses: `<path>.tempstate<number>`.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".tempstate{}", RandomState::new().build_hasher().finish()));
    name.into()
}

/// A file that is being written. Dropped without [`NewFile::complete`], it is removed.
#[derive(Debug)]
pub(crate) struct NewFile {
    file: BufWriter<File>,
    temporary: Temporary,
    target: PathBuf,
}

impl NewFile {
    /// A file that is to become `target`, whose directory exists.
    pub(crate) fn create(target: PathBuf) -> Result<Self> {
        let path = temporary_name(&target);
        let file = File::create_new(&path).map_err(|error| file_error("create checkpoint file", &path, &error))?;
        Ok(Self { file: BufWriter::with_capacity(BUFFER, file), temporary: Temporary(path), target })
    }

    /// An error in writing it.
    pub(crate) fn error(&self, error: &io::Error) -> Error {
        file_error("write checkpoint file", &self.temporary.0, error)
    }

    /// Hands what was written to the disk.
    pub(crate) fn complete(mut self) -> Result<Move> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| self.error(&error))?;
        Ok(Move { from: self.temporary, to: self.target })
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file that appears whole or not at all, in place of an older one. Its directory exists.
///
/// # Errors
/// The file cannot be written; an older one is as it was.
pub fn write_file(path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
    let mut file = NewFile::create(path.as_ref().to_owned())?;
    file.write_all(bytes).map_err(|error| file.error(&error))?;
    let complete = file.complete()?;
    replace_all(Vec::new(), vec![complete])
}

/// A file that is removed when dropped.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // An empty path is a file that has got its final name.
        if !self.0.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.0);
        }
    }
}

impl Temporary {
    fn keep(&mut self) {
        self.0 = PathBuf::new();
    }
}

/// A file and the path it is to get.
#[derive(Debug)]
pub(crate) struct Move {
    from: Temporary,
    to: PathBuf,
}

/// A step that was done, and what undoes it.
struct Done {
    from: PathBuf,
    to: PathBuf,
    /// The file that `to` was before.
    replaced: Option<Temporary>,
}

/// Gives complete files their names: first `existing` files of other names, then new ones, in order. Where one fails,
/// every file is under its old name again and the replaced ones are as they were.
pub(crate) fn replace_all(existing: Vec<(PathBuf, PathBuf)>, mut new: Vec<Move>) -> Result<()> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut done = Vec::new();
    let moves = existing.iter().map(|(from, to)| (from, to)).chain(new.iter().map(|m| (&m.from.0, &m.to)));
    for (from, to) in moves {
        match rename(from, to) {
            Ok(step) => done.push(step),
            Err(error) => {
                done.into_iter().rev().for_each(undo);
                return Err(file_error("put into place checkpoint file", to, &error));
            }
        }
    }
    new.iter_mut().for_each(|m| m.from.keep());
    new.iter().for_each(|m| sync_directory(&m.to));
    Ok(())
}

fn rename(from: &Path, to: &Path) -> io::Result<Done> {
    let replaced = set_aside(to)?;
    match fs::rename(from, to) {
        Ok(()) => Ok(Done { from: from.to_owned(), to: to.to_owned(), replaced }),
        Err(error) => {
            if let Some(replaced) = replaced {
                restore(replaced, to);
            }
            Err(error)
        }
    }
}

/// A second name for the file at `path`, which keeps its first one until it is replaced; `None` where there is no file.
fn set_aside(path: &Path) -> io::Result<Option<Temporary>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => {}
    }
    let aside = temporary_name(path);
    // Where a file system has no links, the file is away for a moment.
    fs::hard_link(path, &aside).or_else(|_| fs::rename(path, &aside))?;
    Ok(Some(Temporary(aside)))
}

/// Gives a file that was set aside its name again. Where that fails it stays, being the only copy.
fn restore(mut replaced: Temporary, to: &Path) {
    let renamed = fs::rename(&replaced.0, to).is_ok();
    // To rename one of two names of a file to the other does nothing.
    let has_both_names = renamed && replaced.0.exists();
    if !has_both_names {
        replaced.keep();
    }
}

fn undo(step: Done) {
    let moved = fs::rename(&step.to, &step.from);
    match step.replaced {
        Some(replaced) if moved.is_ok() => restore(replaced, &step.to),
        Some(mut replaced) => replaced.keep(),
        None => {}
    }
}

/// Hands the names in the file's directory to the disk, where the system can.
fn sync_directory(path: &Path) {
    if let Ok(directory) = File::open(directory_of(path)) {
        let _ = directory.sync_all();
    }
}

/// The directory of a path; the current one where the path names none.
pub(crate) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the last component of the directory that the files of `prefix` are in, unless it exists.
pub(crate) fn create_directory(prefix: &Path) -> Result<()> {
    let directory = directory_of(prefix);
    match fs::create_dir(directory) {
        Err(error) if !directory.is_dir() => Err(file_error("create directory", directory, &error)),
        _ => Ok(()),
    }
}
