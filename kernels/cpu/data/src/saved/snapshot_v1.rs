//! `SnapshotDataset`: elements that are written to files and read from them, in the form that came before shards.
//!
//! The files `00000000.snapshot` and so on lie in the folder of the run, and are read in the order of their names.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use oplink::prelude::*;
use oplink_bundle::file_error;
use oplink_cpu_support::paths::path;
use oplink_ops::data::SnapshotDataset;

use super::elements::{ElementReader, ElementWriter, file_in};
use super::metadata::{Metadata, behind, make_folder};
use super::snapshot::name_of;
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};
use crate::seeds::{Draws, SeedGenerator};

/// The version of the files.
const VERSION: i64 = 1;
/// Bytes of a file where the attr leaves them open.
const SHARD_BYTES: u64 = 10 << 30;
/// Seconds after which a run that did not end is given up where the attr leaves them open.
const EXPIRY: i64 = 86400;
/// The run of snapshots that have a name.
const RUN: &str = "custom";

struct Files {
    input: DatasetHandle,
    /// What names the last run.
    folder: PathBuf,
    /// The folders before those of files that are written and read.
    writer_prefix: PathBuf,
    reader_prefix: PathBuf,
    compression: String,
    shard_bytes: u64,
    expiry: i64,
    wanted: Wanted,
    /// The seeds of the order in which files are read; by name where `None`.
    shuffle: Option<SeedGenerator>,
}

/// What the attr `mode` asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Auto,
    Read,
    Write,
    PassThrough,
}

struct Snapshot(Arc<Files>);

struct SnapshotIterator {
    files: Arc<Files>,
    mode: Mode,
}

/// What an iteration does, which its first element decides.
enum Mode {
    Undecided,
    PassingThrough(Elements),
    Reading(Reading),
    Writing(Box<Writing>),
}

/// Files that are read one after the other.
struct Reading {
    paths: Vec<PathBuf>,
    version: i64,
    /// The file that is read or the next one, and its elements that were given.
    file: usize,
    given: u64,
    reader: Option<ElementReader>,
}

struct Writing {
    elements: Elements,
    /// `None` before the first element and from the end on.
    file: Option<Open>,
    /// The number of the next file.
    next_file: u64,
    /// Bytes of elements for each byte of files, once a file is full.
    ratio: Option<f64>,
    ended: bool,
}

/// A file that is written, and the bytes of its elements.
struct Open {
    writer: ElementWriter,
    bytes: u64,
}

impl Wanted {
    fn new(mode: &str) -> Result<Self> {
        Ok(match mode {
            "auto" => Self::Auto,
            "read" => Self::Read,
            "write" => Self::Write,
            "passthrough" => Self::PassThrough,
            other => bail!("mode must be auto, read, write or passthrough, it is `{other}`"),
        })
    }
}

impl Files {
    fn decide(&self, run: &Run<'_>) -> Result<Mode> {
        let metadata = Metadata::read(&self.folder)?;
        let writing = || self.input.iterate(run).map(|elements| Mode::Writing(Box::new(Writing::new(elements))));
        let passing = || self.input.iterate(run).map(Mode::PassingThrough);
        match (self.wanted, metadata) {
            (Wanted::Write, _) | (Wanted::Auto, None) => writing(),
            (Wanted::PassThrough, _) => passing(),
            (Wanted::Read, None) => {
                Err(Error::not_found(format!("folder {} has no snapshot to read", self.folder.display())))
            }
            (Wanted::Read, Some(metadata)) => self.read(&metadata).map(Mode::Reading),
            (Wanted::Auto, Some(metadata)) if metadata.finalized => self.read(&metadata).map(Mode::Reading),
            (Wanted::Auto, Some(metadata)) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
                let age = i64::try_from(now).unwrap_or(i64::MAX).saturating_sub(metadata.creation_timestamp);
                // Another iteration may still write.
                if age <= self.expiry.saturating_mul(1_000_000) { passing() } else { writing() }
            }
        }
    }

    fn read(&self, metadata: &Metadata) -> Result<Reading> {
        let own: Vec<u64> = self.input.dtypes().iter().map(|dtype| dtype.number() as u64).collect();
        if metadata.dtypes != own {
            let (input, numbers) = (&self.input, &metadata.dtypes);
            return Err(Error::internal(format!(
                "{input} has elements of dtypes {own:?}, the snapshot of {numbers:?}"
            )));
        }
        let folder = self.folder.join(RUN);
        let entries = fs::read_dir(&folder).map_err(|error| file_error("read", &folder, &error))?;
        let paths = entries.map(|entry| entry.map(|entry| behind(&self.reader_prefix, &entry.path())));
        let mut paths =
            paths.collect::<std::io::Result<Vec<_>>>().map_err(|error| file_error("read", &folder, &error))?;
        if paths.is_empty() {
            return Err(Error::not_found(format!("folder {} has no files of elements", folder.display())));
        }
        paths.sort();
        if let Some(seeds) = &self.shuffle {
            let mut numbers = Draws::new(seeds.next());
            for last in (1..paths.len()).rev() {
                paths.swap(last, numbers.draw() as usize % (last + 1));
            }
        }
        Ok(Reading { paths, version: metadata.version, file: 0, given: 0, reader: None })
    }

    fn describe(&self, finalized: bool) -> Result<()> {
        Metadata::of_run(RUN, VERSION, self.input.dtypes(), finalized).write(&self.folder)
    }

    fn run_folder(&self) -> PathBuf {
        behind(&self.writer_prefix, &self.folder.join(RUN))
    }
}

impl Reading {
    fn next(&mut self, files: &Files) -> Result<Option<Element>> {
        while let Some(path) = self.paths.get(self.file) {
            let reader = match &mut self.reader {
                Some(reader) => reader,
                none => {
                    let (dtypes, compression) = (files.input.dtypes(), &files.compression);
                    none.insert(ElementReader::open(path.clone(), compression, self.version, dtypes)?)
                }
            };
            if let Some(element) = reader.next()? {
                self.given += 1;
                return Ok(Some(element));
            }
            (self.file, self.given, self.reader) = (self.file + 1, 0, None);
        }
        Ok(None)
    }
}

impl Writing {
    fn new(elements: Elements) -> Self {
        Self { elements, file: None, next_file: 0, ratio: None, ended: false }
    }

    fn open(&mut self, files: &Files, folder: &Path) -> Result<Open> {
        let path = file_in(folder, self.next_file);
        let writer = ElementWriter::create(path, &files.compression, VERSION, true)?;
        self.next_file += 1;
        Ok(Open { writer, bytes: 0 })
    }

    fn next(&mut self, run: &Run<'_>, files: &Files) -> Result<Option<Element>> {
        if self.ended {
            return Ok(None);
        }
        let folder = files.run_folder();
        let mut open = match self.file.take() {
            Some(open) => open,
            None if self.next_file > 0 => self.open(files, &folder)?,
            None => {
                make_folder(&folder)?;
                files.describe(false)?;
                self.open(files, &folder)?
            }
        };
        let Some(element) = self.elements.next(run)? else {
            open.writer.finish()?;
            self.ended = true;
            files.describe(true)?;
            return Ok(None);
        };
        open.bytes += element.iter().map(|tensor| tensor.num_bytes() as u64).sum::<u64>();
        if self.is_full(&mut open, files.shard_bytes)? {
            open.writer.finish()?;
            open = self.open(files, &folder)?;
        }
        open.writer.write(&element)?;
        self.file = Some(open);
        Ok(Some(element))
    }

    /// Whether a file has as many bytes as files may have, which is estimated once one had.
    fn is_full(&mut self, open: &mut Open, most: u64) -> Result<bool> {
        match self.ratio {
            Some(ratio) => Ok(open.bytes as f64 > ratio * most as f64),
            None if open.bytes <= most => Ok(false),
            None => {
                let length = open.writer.sync()?;
                self.ratio = Some(open.bytes as f64 / length as f64);
                Ok(length >= most)
            }
        }
    }
}

impl Dataset for Snapshot {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.0.input]
    }

    fn cardinality(&self) -> Cardinality {
        self.0.input.cardinality()
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(SnapshotIterator { files: self.0.clone(), mode: Mode::Undecided }))
    }
}

impl DatasetIterator for SnapshotIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if matches!(self.mode, Mode::Undecided) {
            self.mode = self.files.decide(run)?;
        }
        match &mut self.mode {
            Mode::Undecided => Ok(None),
            Mode::PassingThrough(elements) => elements.next(run),
            Mode::Reading(reading) => reading.next(&self.files),
            Mode::Writing(writing) => writing.next(run, &self.files),
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        match &mut self.mode {
            Mode::Undecided => to.put(0),
            Mode::PassingThrough(elements) => {
                to.put(1);
                elements.save(run, to)?;
            }
            Mode::Reading(Reading { paths, version, file, given, .. }) => {
                to.put(2);
                let names = paths.iter().map(|path| TString::new(path.as_os_str().as_encoded_bytes())).collect();
                to.put_tensors(&[Tensor::from_vec([paths.len()], names)?]);
                [*version, *file as i64, *given as i64].into_iter().for_each(|number| to.put(number));
            }
            Mode::Writing(writing) => {
                to.put(3);
                writing.file.take().map_or(Ok(()), |open| open.writer.finish())?;
                to.put_flag(writing.ended);
                to.put(writing.next_file as i64);
                writing.elements.save(run, to)?;
            }
        }
        Ok(())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.mode = match from.number()? {
            1 => {
                let mut elements = self.files.input.iterate(run)?;
                elements.restore(run, from)?;
                Mode::PassingThrough(elements)
            }
            2 => {
                let [names] = &from.tensors()?[..] else { return Err(crate::position::other_pipeline()) };
                let paths =
                    names.as_slice::<TString>()?.iter().map(|name| path(name.as_bytes())).collect::<Result<_>>()?;
                let (version, file, given) = (from.number()?, from.count()?, from.count()?);
                let file = usize::try_from(file).unwrap_or(usize::MAX);
                let mut reading = Reading { paths, version, file, given: 0, reader: None };
                while reading.given < given && reading.next(&self.files)?.is_some() {}
                Mode::Reading(reading)
            }
            3 => {
                let (ended, next_file) = (from.flag()?, from.count()?);
                let mut elements = self.files.input.iterate(run)?;
                elements.restore(run, from)?;
                Mode::Writing(Box::new(Writing { next_file, ended, ..Writing::new(elements) }))
            }
            _ => Mode::Undecided,
        };
        Ok(())
    }
}

/// `SnapshotDataset`: one thread reads or writes, whatever numbers of threads and sizes of buffers say.
#[kernel(SnapshotDataset, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn snapshot_dataset_cpu(
    input_dataset: &DatasetHandle,
    path: TString,
    compression: &str,
    reader_path_prefix: &str,
    writer_path_prefix: &str,
    shard_size_bytes: i64,
    pending_snapshot_expiry_seconds: i64,
    shuffle_on_read: bool,
    seed: i64,
    seed2: i64,
    mode: &str,
    snapshot_name: &str,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let known = ["", "GZIP", "SNAPPY"].contains(&compression);
    ensure!(known, "compression must be empty, GZIP or SNAPPY, it is `{compression}`");
    let expiry = if pending_snapshot_expiry_seconds == -1 { EXPIRY } else { pending_snapshot_expiry_seconds };
    ensure!(expiry >= 1, "pending_snapshot_expiry_seconds must be at least 1, it is {expiry}");
    let wanted = Wanted::new(mode)?;
    let name = match (snapshot_name, wanted) {
        ("", Wanted::PassThrough) => String::new(),
        ("", _) => name_of(input_dataset, "set the attr snapshot_name", &env)?.to_string(),
        (name, _) => format!("custom-{name}"),
    };
    let shard_bytes = if shard_size_bytes == -1 { SHARD_BYTES } else { shard_size_bytes as u64 };
    let files = Files {
        input: input_dataset.clone(),
        folder: self::path(path.as_bytes())?.join(name),
        writer_prefix: writer_path_prefix.into(),
        reader_prefix: reader_path_prefix.into(),
        compression: compression.to_owned(),
        shard_bytes,
        expiry,
        wanted,
        shuffle: shuffle_on_read.then(|| SeedGenerator::new(seed, seed2, false)),
    };
    DatasetHandle::new(&env, output_types, output_shapes, Snapshot(Arc::new(files)))
}
