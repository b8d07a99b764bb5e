//! Elements that the first iteration writes to files, from which later ones read them.

use std::path::PathBuf;
use std::sync::Arc;

use oplink::prelude::*;
use oplink_cpu_support::paths::path;
use oplink_ops::data::SnapshotDatasetV2;

use super::load::RunReader;
use super::metadata::{Metadata, behind};
use super::recorder::{Recorder, Recording};
use super::save::{restore_recorder, save_recorder};
use super::shards::Form;
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::function::DatasetFunction;
use crate::graphs::fingerprint;
use crate::position::{PositionReader, PositionWriter};

struct Files {
    recording: Recording,
    /// The folder that names the run that is read.
    folder: PathBuf,
    reader: RunReader,
    input: DatasetHandle,
}

struct Snapshot(Arc<Files>);

struct SnapshotIterator {
    files: Arc<Files>,
    mode: Mode,
}

/// What an iteration does, which its first element decides.
enum Mode {
    Undecided,
    Reading { run_id: Vec<u8>, version: i64, elements: Elements },
    Writing { recorder: Option<Recorder>, elements: Elements },
}

impl Files {
    fn read(&self, run: &Run<'_>, run_id: Vec<u8>, version: i64) -> Result<Mode> {
        let elements = self.reader.iterate(run, &self.folder.join(path(&run_id)?), version)?;
        Ok(Mode::Reading { run_id, version, elements })
    }

    fn decide(&self, run: &Run<'_>) -> Result<Mode> {
        match Metadata::read(&self.folder)? {
            Some(Metadata { finalized: true, run_id, version, .. }) => self.read(run, run_id, version),
            _ => Ok(Mode::Writing {
                recorder: Some(Recorder::begin(&self.recording)?),
                elements: self.input.iterate(run)?,
            }),
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
            Mode::Reading { elements, .. } => elements.next(run),
            Mode::Writing { recorder, elements } => {
                let element = elements.next(run)?;
                match (&element, recorder.as_mut()) {
                    (Some(element), Some(recorder)) => recorder.write(run, &self.files.recording, element)?,
                    _ => recorder.take().map_or(Ok(()), |recorder| recorder.end(&self.files.recording, 0))?,
                }
                Ok(element)
            }
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        match &mut self.mode {
            Mode::Undecided => to.put(0),
            Mode::Reading { run_id, version, elements } => {
                to.put(1);
                to.put(*version);
                to.put_tensors(&[Tensor::scalar(TString::new(&run_id[..]))]);
                elements.save(run, to)?;
            }
            Mode::Writing { recorder, elements } => {
                to.put(2);
                save_recorder(recorder.as_mut(), to)?;
                elements.save(run, to)?;
            }
        }
        Ok(())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.mode = match from.number()? {
            1 => {
                let version = from.number()?;
                let [run_id] = &from.tensors()?[..] else { return Err(crate::position::other_pipeline()) };
                self.files.read(run, run_id.to_scalar::<TString>()?.as_bytes().to_vec(), version)?
            }
            2 => Mode::Writing { recorder: restore_recorder(from)?, elements: self.files.input.iterate(run)? },
            _ => Mode::Undecided,
        };
        match &mut self.mode {
            Mode::Undecided => Ok(()),
            Mode::Reading { elements, .. } | Mode::Writing { elements, .. } => elements.restore(run, from),
        }
    }
}

/// The number that names the snapshot of a pipeline where the node does not: its fingerprint.
///
/// # Errors
/// The pipeline has no graph.
pub(super) fn name_of(input: &DatasetHandle, what_to_do: &str, env: &Env<'_>) -> Result<u64> {
    fingerprint(input, env).map_err(|error| {
        error.context(format!("a snapshot is found by the fingerprint of its pipeline's graph; or {what_to_do}"))
    })
}

/// `SnapshotDatasetV2`.
#[kernel(SnapshotDatasetV2, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn snapshot_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    path: TString,
    reader_func_other_args: &[Tensor],
    shard_func_other_args: &[Tensor],
    compression: &str,
    reader_prefix: &str,
    writer_prefix: &str,
    hash_valid: bool,
    hash: i64,
    reader_func: &FuncAttr,
    shard_func: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let what_to_do = "set the attrs hash_valid and hash";
    let hash = if hash_valid { hash as u64 } else { name_of(input_dataset, what_to_do, &env)? }.to_string();
    let path = self::path(path.as_bytes())?;
    let [folder, written] = [reader_prefix, writer_prefix].map(|prefix| behind(prefix.as_ref(), &path).join(&hash));
    let compression = if compression == "AUTO" { "SNAPPY" } else { compression }.to_owned();
    let dtypes = input_dataset.dtypes().to_vec();
    let function = DatasetFunction::new(reader_func, reader_func_other_args);
    let shapes = input_dataset.shapes().to_vec();
    let form = Form { compression: compression.clone(), dtypes: dtypes.clone(), shapes };
    let reader = RunReader { function, form, node: env.node().name.clone() };
    let shard_function = Some(DatasetFunction::new(shard_func, shard_func_other_args));
    let recording = Recording { folder: written, graph_hash: hash.into_bytes(), compression, shard_function, dtypes };
    let snapshot = Snapshot(Arc::new(Files { recording, folder, reader, input: input_dataset.clone() }));
    DatasetHandle::new(&env, output_types, output_shapes, snapshot)
}
