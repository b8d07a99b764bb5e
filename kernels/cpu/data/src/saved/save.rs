//! Elements that are saved.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_cpu_support::paths::path;
use oplink_ops::data::{SaveDataset, SaveDatasetV2};

use super::recorder::{Recorder, Recording};
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::function::DatasetFunction;
use crate::position::{PositionReader, PositionWriter};

fn recording(
    input: &DatasetHandle,
    folder: &TString,
    compression: &str,
    (function, captured): (&FuncAttr, &[Tensor]),
    use_shard_func: bool,
) -> Result<Recording> {
    Ok(Recording {
        folder: path(folder.as_bytes())?,
        graph_hash: Vec::new(),
        compression: compression.to_owned(),
        shard_function: use_shard_func.then(|| DatasetFunction::new(function, captured)),
        dtypes: input.dtypes().to_vec(),
    })
}

/// `SaveDataset`.
#[kernel(SaveDataset, device = CPU)]
pub fn save_dataset_cpu(
    input_dataset: &DatasetHandle,
    path: TString,
    shard_func_other_args: &[Tensor],
    compression: &str,
    shard_func: &FuncAttr,
    use_shard_func: bool,
    env: Env<'_>,
) -> Result<()> {
    let run = Run::of(&env)?;
    let recording = recording(input_dataset, &path, compression, (shard_func, shard_func_other_args), use_shard_func)?;
    let (mut recorder, mut elements, mut count) = (Recorder::begin(&recording)?, input_dataset.iterate(&run)?, 0);
    while let Some(element) = elements.next(&run)? {
        recorder.write(&run, &recording, &element)?;
        count += 1;
    }
    recorder.end(&recording, count)
}

struct Save {
    input: DatasetHandle,
    recording: Arc<Recording>,
}

struct SaveIterator {
    elements: Elements,
    recording: Arc<Recording>,
    num_elements: i64,
    /// `None` before the first element and from the end on.
    recorder: Option<Recorder>,
}

impl Dataset for Save {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let num_elements = crate::values::cardinality_number(self.input.cardinality());
        let (elements, recording) = (self.input.iterate(run)?, self.recording.clone());
        Ok(Box::new(SaveIterator { elements, recording, num_elements, recorder: None }))
    }
}

impl DatasetIterator for SaveIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let recorder = match &mut self.recorder {
            Some(recorder) => recorder,
            None => self.recorder.insert(Recorder::begin(&self.recording)?),
        };
        let element = self.elements.next(run)?;
        match &element {
            Some(element) => recorder.write(run, &self.recording, element)?,
            None => {
                let recorder = self.recorder.take();
                recorder.map_or(Ok(()), |recorder| recorder.end(&self.recording, self.num_elements))?;
            }
        }
        Ok(element)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        save_recorder(self.recorder.as_mut(), to)?;
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.recorder = restore_recorder(from)?;
        self.elements.restore(run, from)
    }
}

/// Writes whether a run has begun, and where it goes on.
pub(super) fn save_recorder(recorder: Option<&mut Recorder>, to: &mut PositionWriter) -> Result<()> {
    to.put_flag(recorder.is_some());
    if let Some(recorder) = recorder {
        let (run_id, file) = recorder.complete_files()?;
        to.put(run_id as i64);
        to.put(file as i64);
    }
    Ok(())
}

/// A run that goes on from where [`save_recorder`] was.
pub(super) fn restore_recorder(from: &mut PositionReader<'_>) -> Result<Option<Recorder>> {
    if !from.flag()? {
        return Ok(None);
    }
    let (run_id, file) = (from.number()? as u64, from.count()?);
    Ok(Some(Recorder::resume(run_id, file)))
}

/// `SaveDatasetV2`.
#[kernel(SaveDatasetV2, device = CPU)]
pub fn save_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    path: TString,
    shard_func_other_args: &[Tensor],
    compression: &str,
    shard_func: &FuncAttr,
    use_shard_func: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let recording = recording(input_dataset, &path, compression, (shard_func, shard_func_other_args), use_shard_func)?;
    let save = Save { input: input_dataset.clone(), recording: Arc::new(recording) };
    DatasetHandle::new(&env, output_types, output_shapes, save)
}
