//! Elements that are written to the shards of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oplink::prelude::*;

use super::elements::{ElementWriter, RECORDS, file_in};
use super::metadata::{Metadata, make_folder, random_id};
use crate::dataset::{Element, Run};
use crate::function::DatasetFunction;

/// Where elements go.
pub(super) struct Recording {
    /// The folder that names its last run.
    pub(super) folder: PathBuf,
    /// What identifies the pipeline there.
    pub(super) graph_hash: Vec<u8>,
    pub(super) compression: String,
    /// The function that gives the shard of an element; all are in the first where there is none.
    pub(super) shard_function: Option<DatasetFunction>,
    pub(super) dtypes: Vec<DType>,
}

/// A run of its own.
pub(super) struct Recorder {
    run_id: u64,
    /// The number of the files that are written next. Files before it are complete.
    file: u64,
    shards: BTreeMap<u64, ElementWriter>,
}

impl Recording {
    fn shard(&self, run: &Run<'_>, element: &Element) -> Result<u64> {
        let Some(function) = &self.shard_function else { return Ok(0) };
        match &function.call(run, element.clone())?[..] {
            [shard] if shard.dtype() == DType::Int64 && shard.num_elements() == 1 => {
                Ok(shard.as_slice::<i64>()?[0] as u64)
            }
            results => bail!("shard_func must return one int64, it returns {} results", results.len()),
        }
    }

    fn describe(&self, run_id: u64, num_elements: i64, finalized: bool) -> Result<()> {
        let of_run = Metadata::of_run(&run_id.to_string(), RECORDS, &self.dtypes, finalized);
        Metadata { graph_hash: self.graph_hash.clone(), num_elements, ..of_run }.write(&self.folder)
    }
}

impl Recorder {
    /// Begins a run.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub(super) fn begin(recording: &Recording) -> Result<Self> {
        let recorder = Self { run_id: random_id(), file: 0, shards: BTreeMap::new() };
        make_folder(&recorder.folder(recording))?;
        recording.describe(recorder.run_id, 0, false)?;
        Ok(recorder)
    }

    /// Goes on with a run from files of a number on.
    pub(super) fn resume(run_id: u64, file: u64) -> Self {
        Self { run_id, file, shards: BTreeMap::new() }
    }

    fn folder(&self, recording: &Recording) -> PathBuf {
        recording.folder.join(self.run_id.to_string())
    }

    /// Appends an element to its shard.
    ///
    /// # Errors
    /// The function fails; a file cannot be written.
    pub(super) fn write(&mut self, run: &Run<'_>, recording: &Recording, element: &Element) -> Result<()> {
        let number = recording.shard(run, element)?;
        if !self.shards.contains_key(&number) {
            let folder = self.folder(recording).join(format!("{number:08}.shard"));
            make_folder(&folder)?;
            let writer = ElementWriter::create(file_in(&folder, self.file), &recording.compression, RECORDS, false)?;
            self.shards.insert(number, writer);
        }
        let shard = self.shards.get_mut(&number);
        shard.map_or(Ok(()), |shard| shard.write(element))
    }

    /// Completes the files; elements that follow go to others. The run and the number of the next files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn complete_files(&mut self) -> Result<(u64, u64)> {
        std::mem::take(&mut self.shards).into_values().try_for_each(ElementWriter::finish)?;
        self.file += 1;
        Ok((self.run_id, self.file))
    }

    /// Completes the run.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn end(mut self, recording: &Recording, num_elements: i64) -> Result<()> {
        self.complete_files()?;
        recording.describe(self.run_id, num_elements, true)
    }
}

/// What was given stays in the files of a run that goes before its end. Nobody hears of an error.
impl Drop for Recorder {
    fn drop(&mut self) {
        let _ = self.complete_files();
    }
}
