//! The elements of a shard, and datasets of shards.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oplink::prelude::*;
use oplink_bundle::file_error;
use oplink_cpu_support::paths::path;
use oplink_ops::data::{SnapshotDatasetReader, SnapshotNestedDatasetReader};

use super::elements::{ElementReader, file_in};
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::order::datasets;
use crate::position::{PositionReader, PositionWriter};

/// The elements of a run, and how their files are compressed.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) compression: String,
    pub(super) dtypes: Vec<DType>,
    pub(super) shapes: Vec<PartialShape>,
}

/// A folder of files of elements.
struct ShardFiles {
    folder: PathBuf,
    form: Form,
    version: i64,
    /// Elements of the first file that are left out.
    start: u64,
}

struct Shard(Arc<ShardFiles>);

struct ShardIterator {
    files: Arc<ShardFiles>,
    /// The number of the file that is read, and its elements that were given or left out.
    file: u64,
    given: u64,
    reader: ElementReader,
}

impl ShardFiles {
    /// A file after so many of its elements.
    fn open(&self, file: u64, skipped: u64) -> Result<ElementReader> {
        let Form { compression, dtypes, .. } = &self.form;
        let mut reader = ElementReader::open(file_in(&self.folder, file), compression, self.version, dtypes)?;
        reader.skip(skipped)?;
        Ok(reader)
    }
}

impl Dataset for Shard {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let given = self.0.start;
        let reader = self.0.open(0, given)?;
        Ok(Box::new(ShardIterator { files: self.0.clone(), file: 0, given, reader }))
    }
}

impl DatasetIterator for ShardIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        loop {
            run.check()?;
            if let Some(element) = self.reader.next()? {
                self.given += 1;
                return Ok(Some(element));
            }
            if !file_in(&self.files.folder, self.file + 1).exists() {
                return Ok(None);
            }
            (self.file, self.given) = (self.file + 1, 0);
            self.reader = self.files.open(self.file, 0)?;
        }
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.file as i64);
        to.put(self.given as i64);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.file, self.given) = (from.count()?, from.count()?);
        self.reader = self.files.open(self.file, self.given)?;
        Ok(())
    }
}

/// Datasets, each an element.
struct Nested(Arc<[DatasetHandle]>);

struct NestedIterator {
    datasets: Arc<[DatasetHandle]>,
    next: usize,
}

impl Dataset for Nested {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(NestedIterator { datasets: self.0.clone(), next: 0 }))
    }
}

impl DatasetIterator for NestedIterator {
    fn next(&mut self, _: &Run<'_>) -> Result<Option<Element>> {
        let Some(dataset) = self.datasets.get(self.next) else { return Ok(None) };
        self.next += 1;
        Ok(Some(vec![dataset.clone().into_tensor()]))
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.next as i64);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.next = usize::try_from(from.count()?).unwrap_or(usize::MAX);
        Ok(())
    }
}

/// A dataset of the shards of a run, each a dataset, in the order of their names. The node that reads them names them
/// in errors; the version is that of their files.
///
/// # Errors
/// The folder cannot be read; one that is missing has no shards.
pub(super) fn shards(run: &Path, form: &Form, version: i64, node: &str) -> Result<DatasetHandle> {
    let entries = match fs::read_dir(run) {
        Ok(entries) => Some(entries),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(file_error("read", run, &error)),
    };
    let mut folders = Vec::new();
    for entry in entries.into_iter().flatten() {
        let folder = entry.map_err(|error| file_error("read", run, &error))?.path();
        if folder.extension() == Some(OsStr::new("shard")) {
            folders.push(folder);
        }
    }
    folders.sort();
    let shard = |(number, folder)| {
        let files = ShardFiles { folder, form: form.clone(), version, start: 0 };
        let (op, name) = ("SnapshotDatasetReader", format!("{node}/shard_{number}"));
        DatasetHandle::named(op, &name, &form.dtypes, &form.shapes, Shard(Arc::new(files)))
    };
    let shards = folders.into_iter().enumerate().map(shard).collect::<Result<Arc<[_]>>>()?;
    let (op, name) = ("SnapshotNestedDatasetReader", format!("{node}/shards"));
    DatasetHandle::named(op, &name, &[DType::Variant], &[PartialShape::scalar()], Nested(shards))
}

/// `SnapshotDatasetReader`.
#[kernel(SnapshotDatasetReader, device = CPU)]
pub fn snapshot_dataset_reader_cpu(
    shard_dir: TString,
    start_index: i64,
    compression: &str,
    version: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (dtypes, shapes) = (output_types.to_vec(), output_shapes.to_vec());
    let form = Form { compression: compression.to_owned(), dtypes, shapes };
    let start = u64::try_from(start_index).unwrap_or(0);
    let files = ShardFiles { folder: path(shard_dir.as_bytes())?, form, version, start };
    DatasetHandle::new(&env, output_types, output_shapes, Shard(Arc::new(files)))
}

/// `SnapshotNestedDatasetReader`.
#[kernel(SnapshotNestedDatasetReader, device = CPU)]
pub fn snapshot_nested_dataset_reader_cpu(
    inputs: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let nested = Nested(datasets(inputs, "inputs")?.into());
    DatasetHandle::new(&env, output_types, output_shapes, nested)
}
