//! The file of a graph, of which parts are read when they are needed.

use std::fs::{File, Metadata};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use oplink_api::tensor::StoredElements;
use oplink_api::{Code, Error, ErrorKind, PositionedFile, Result};

/// Parts of at least this size are read by several threads.
const SHARED: usize = 2 << 20;
/// Bytes that a thread reads at a time.
const SHARE: usize = 1 << 19;
/// The most threads that read.
const MAX_THREADS: usize = 4;

/// A file that must not change while parts of it are needed.
pub(super) struct GraphFile {
    file: PositionedFile,
    path: PathBuf,
    state: State,
}

/// What changes when a file is written to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    len: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(metadata: &Metadata) -> Self {
        Self { len: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl GraphFile {
    /// Opens a file; its length comes back too. `None` where it is none that keeps its bytes, such as a pipe.
    pub(super) fn open(path: &Path) -> Result<Option<(Self, usize)>> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = opened.map_err(|error| Error::io(path.display(), error))?;
        let Some(len) = usize::try_from(metadata.len()).ok().filter(|_| metadata.is_file()) else { return Ok(None) };
        let file = PositionedFile::new(file);
        Ok(Some((Self { file, path: path.to_owned(), state: State::of(&metadata) }, len)))
    }

    /// Reads from `offset` on.
    ///
    /// # Errors
    /// The file cannot be read, or was written to since it was opened.
    pub(super) fn read(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        let read = self.file.read_exact_at(bytes, offset);
        let state = self.file.metadata().map(|metadata| State::of(&metadata));
        match (read, state) {
            (Ok(()), Ok(state)) if state == self.state => Ok(()),
            (_, Ok(state)) if state != self.state => Err(self.changed()),
            (Err(error), _) | (_, Err(error)) => Err(Error::io(self.path.display(), error)),
            (Ok(()), Ok(_)) => Ok(()),
        }
    }

    #[cold]
    fn changed(&self) -> Error {
        let message = format!(
            "{} was written to after a graph was loaded from it, which still needs parts of it; replace files instead, \
             or read all of a graph with `Graph::read_constants` first",
            self.path.display()
        );
        Error::new(Code::DataLoss, ErrorKind::Io, message)
    }

    /// As [`read`](Self::read), by several threads where that pays.
    fn read_shared(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        // The system takes some time to tell the number of threads.
        let threads = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let threads = if bytes.len() < SHARED { 1 } else { threads() };
        if threads == 1 {
            return self.read(bytes, offset);
        }
        let parts = Mutex::new(bytes.chunks_mut(SHARE).zip((offset..).step_by(SHARE)));
        let failed = Mutex::new(None);
        let take = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((part, at)) = take() {
                if let Err(error) = self.read(part, at) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    break;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Where the system has no thread more, those that there are do all.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// The contents of one tensor.
pub(super) struct FilePart {
    file: Arc<GraphFile>,
    range: Range<usize>,
}

impl FilePart {
    pub(super) fn new(file: Arc<GraphFile>, range: Range<usize>) -> Self {
        Self { file, range }
    }
}

impl StoredElements for FilePart {
    fn read_at(&self, bytes: &mut [u8], offset: usize) -> Result<()> {
        if offset.checked_add(bytes.len()).is_none_or(|end| end > self.range.len()) {
            return Err(Error::internal("a part of a file is read as more than it is"));
        }
        self.file.read_shared(bytes, (self.range.start + offset) as u64)
    }
}
