//! The files of a snapshot that several workers write.
//!
//! A folder has the files of elements in the folder `chunks`, and the file `DONE` once all are there, or `ERROR` with
//! a message `Status` in text form.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use oplink::prelude::*;
use oplink_bundle::file_error;
use oplink_cpu_support::paths::path;
use oplink_ops::data::{ListSnapshotChunksDataset, SnapshotChunkDataset};

use super::elements::{ElementReader, RECORDS};
use super::text;
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::position::{PositionReader, PositionWriter};

/// Time between two looks at a folder that is written to.
const LOOK: Duration = Duration::from_millis(20);

/// The elements of a file.
struct Chunk(Arc<ChunkFile>);

struct ChunkFile {
    path: PathBuf,
    compression: String,
    dtypes: Vec<DType>,
}

struct ChunkIterator {
    file: Arc<ChunkFile>,
    given: u64,
    reader: ElementReader,
}

impl ChunkFile {
    fn open(&self) -> Result<ElementReader> {
        ElementReader::open(self.path.clone(), &self.compression, RECORDS, &self.dtypes)
    }
}

impl Dataset for Chunk {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let reader = self.0.open()?;
        Ok(Box::new(ChunkIterator { file: self.0.clone(), given: 0, reader }))
    }
}

impl DatasetIterator for ChunkIterator {
    fn next(&mut self, _: &Run<'_>) -> Result<Option<Element>> {
        let element = self.reader.next()?;
        self.given += u64::from(element.is_some());
        Ok(element)
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.given as i64);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.given = from.count()?;
        self.reader = self.file.open()?;
        self.reader.skip(self.given)
    }
}

/// `SnapshotChunkDataset`.
#[kernel(SnapshotChunkDataset, device = CPU)]
pub fn snapshot_chunk_dataset_cpu(
    chunk_file: TString,
    compression: &str,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (path, dtypes) = (path(chunk_file.as_bytes())?, output_types.to_vec());
    let file = ChunkFile { path, compression: compression.to_owned(), dtypes };
    DatasetHandle::new(&env, output_types, output_shapes, Chunk(Arc::new(file)))
}

/// A folder with chunks.
#[derive(Clone)]
struct Folder(Arc<Path>);

impl Folder {
    fn is_done(&self) -> bool {
        self.0.join("DONE").exists()
    }

    /// The error that ended the snapshot.
    fn check(&self) -> Result<()> {
        let path = self.0.join("ERROR");
        if !path.exists() {
            return Ok(());
        }
        let message = fs::read(&path).map_err(|error| file_error("read", &path, &error))?;
        let damaged = |why: &str| {
            let message = format!("file {} tells no error: {why}", path.display());
            Error::new(Code::DataLoss, ErrorKind::Io, message)
        };
        let (mut code, mut text) = (0, String::new());
        for (field, value) in text::fields(&message).map_err(damaged)? {
            match &field[..] {
                "code" => code = code_of(&value).ok_or_else(|| damaged("its code is unknown"))?,
                "message" => text = String::from_utf8_lossy(&value).into_owned(),
                _ => return Err(damaged("it has a field that no status has")),
            }
        }
        if code == 0 {
            return Err(Error::internal(format!("file {} has no code of an error", path.display())));
        }
        let message = format!("the snapshot ended with an error: {text}");
        Err(Error::new(Code::from_number(code), ErrorKind::Io, message))
    }

    /// The names of the chunks; `None` where their folder is missing.
    fn chunks(&self) -> Result<Option<Vec<Name>>> {
        let folder = self.0.join("chunks");
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file_error("read", &folder, &error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| file_error("read", &folder, &error))?.file_name();
            let name = name.as_encoded_bytes();
            if !name.ends_with(b".tmp") {
                names.push(Name::new(name));
            }
        }
        Ok(Some(names))
    }
}

/// The number of the code that a name or a number stands for, 0 for success.
fn code_of(name: &[u8]) -> Option<i32> {
    const NAMES: [&[u8]; 17] = [
        b"OK",
        b"CANCELLED",
        b"UNKNOWN",
        b"INVALID_ARGUMENT",
        b"DEADLINE_EXCEEDED",
        b"NOT_FOUND",
        b"ALREADY_EXISTS",
        b"PERMISSION_DENIED",
        b"RESOURCE_EXHAUSTED",
        b"FAILED_PRECONDITION",
        b"ABORTED",
        b"OUT_OF_RANGE",
        b"UNIMPLEMENTED",
        b"INTERNAL",
        b"UNAVAILABLE",
        b"DATA_LOSS",
        b"UNAUTHENTICATED",
    ];
    let number = NAMES.iter().position(|known| *known == name).map(|number| number as i32);
    number.or_else(|| std::str::from_utf8(name).ok()?.parse().ok())
}

/// A chunk by its name, in the order in which chunks are read: by the number in its stream, then by the stream. Names
/// of other forms come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    numbers: Option<[i64; 2]>,
    name: Vec<u8>,
}

impl Name {
    fn new(name: &[u8]) -> Self {
        let number = |part: &[u8]| {
            let number: i64 = std::str::from_utf8(part).ok()?.parse().ok()?;
            (number >= 0).then_some(number)
        };
        let parts: Vec<&[u8]> = name.split(|&byte| byte == b'_').collect();
        let numbers = match &parts[..] {
            [b"chunk", stream, chunk, records] => number(records).and_then(|_| Some([number(chunk)?, number(stream)?])),
            _ => None,
        };
        Self { numbers, name: name.to_vec() }
    }
}

/// The names of the chunks of a folder.
struct Chunks(Folder);

struct ChunksIterator {
    folder: Folder,
    read: BTreeSet<Name>,
    /// Chunks that were found and not given yet.
    found: VecDeque<Name>,
    /// Whether all chunks were found.
    is_done: bool,
}

impl Dataset for Chunks {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        match self.0.chunks() {
            Ok(Some(names)) if self.0.is_done() => Cardinality::Known(names.len() as u64),
            _ => Cardinality::Unknown,
        }
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (folder, read, found) = (self.0.clone(), BTreeSet::new(), VecDeque::new());
        Ok(Box::new(ChunksIterator { folder, read, found, is_done: false }))
    }
}

impl ChunksIterator {
    /// Finds the chunks that are new.
    fn look(&mut self) -> Result<()> {
        self.folder.check()?;
        // Chunks that come after the look at `DONE` are found by the next one.
        self.is_done = self.folder.is_done();
        let names = self.folder.chunks()?.unwrap_or_default().into_iter();
        let new: BTreeSet<_> = names.filter(|name| !self.read.contains(name)).collect();
        self.found = new.into_iter().collect();
        Ok(())
    }
}

impl DatasetIterator for ChunksIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let mut looked = false;
        loop {
            run.check()?;
            if let Some(chunk) = self.found.pop_front() {
                let path = self.folder.0.join("chunks").join(path(&chunk.name)?);
                self.read.insert(chunk);
                return Ok(Some(vec![Tensor::scalar(TString::new(path.as_os_str().as_encoded_bytes()))]));
            }
            if self.is_done {
                return Ok(None);
            }
            if std::mem::replace(&mut looked, true) {
                std::thread::sleep(LOOK);
            }
            self.look()?;
        }
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        let names: Vec<TString> = self.read.iter().map(|name| TString::new(&name.name[..])).collect();
        to.put_tensors(&[Tensor::from_vec([names.len()], names)?]);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        let [names] = &from.tensors()?[..] else { return Err(crate::position::other_pipeline()) };
        self.read = names.as_slice::<TString>()?.iter().map(|name| Name::new(name.as_bytes())).collect();
        self.look()
    }
}

/// `ListSnapshotChunksDataset`.
#[kernel(ListSnapshotChunksDataset, device = CPU)]
pub fn list_snapshot_chunks_dataset_cpu(
    snapshot_path: TString,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    ensure!(!snapshot_path.as_bytes().is_empty(), "snapshot_path is empty, it must name the folder of a snapshot");
    let chunks = Chunks(Folder(path(snapshot_path.as_bytes())?.into()));
    DatasetHandle::new(&env, output_types, output_shapes, chunks)
}
