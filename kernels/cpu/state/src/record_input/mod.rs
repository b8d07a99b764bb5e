//! `RecordInput`: records of files, shuffled.
//!
//! The node of a session keeps what was read. Files are read when records are asked for. TensorFlow reads them in
//! threads of its own, whose order is the same in each run only while all records of the files wait in the buffer.

mod mersenne;

use std::collections::VecDeque;
use std::sync::Mutex;

use crate::reader::source::{Compression, Source};
use mersenne::{Mersenne, hash};
use oplink::memory::{try_reserve, try_vec};
use oplink::prelude::*;
use oplink_cpu_support::matching::matching_paths;
use oplink_ops::state::{RecordInput, RecordInputInputs, RecordInputOutputs};

/// Records of a file that go into the buffer together.
const GROUP: usize = 16;

/// `RecordInput`.
pub struct RecordInputCpu {
    batch_size: usize,
    records: Mutex<Records>,
}

#[kernel(RecordInput, device = CPU)]
impl Kernel for RecordInputCpu {
    type Op = RecordInput;

    fn new(construction: Construction<'_, RecordInput>) -> Result<Self> {
        let attrs = &construction.attrs;
        let count = |name: &str, value: i64| {
            let count = usize::try_from(value);
            count.map_err(|_| Error::invalid_argument(format!("{name} must be at least 0, it is {value}")))
        };
        let options = Options {
            patterns: attrs.file_pattern.to_vec(),
            seed: attrs.file_random_seed as u64,
            turn: attrs.file_shuffle_shift_ratio,
            buffer: usize::try_from(attrs.file_buffer_size).unwrap_or(0).max(1),
            at_once: count("file_parallelism", attrs.file_parallelism)?,
            compression: Compression::new(attrs.compression_type)?,
        };
        Ok(Self { batch_size: count("batch_size", attrs.batch_size)?, records: Mutex::new(Records::new(options)) })
    }

    fn compute(&self, _: RecordInputInputs<'_>, outputs: &mut RecordInputOutputs<'_>, env: Env<'_>) -> Result<()> {
        let mut records = self.records.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut batch = try_vec(self.batch_size)?;
        for _ in 0..self.batch_size {
            env.poll();
            batch.push(TString::new(records.next(env)?));
        }
        outputs.records.set(Tensor::from_vec([batch.len()], batch)?);
        Ok(())
    }
}

/// What the attrs tell.
struct Options {
    patterns: Vec<u8>,
    seed: u64,
    turn: f32,
    buffer: usize,
    at_once: usize,
    compression: Compression,
}

/// The files of which one is read after the other.
#[derive(Default)]
struct Shard {
    files: VecDeque<TString>,
    open: Option<(Source, u64)>,
    /// Records that are not in the buffer yet.
    group: Vec<Vec<u8>>,
}

impl Shard {
    /// The next record; `None` behind the last file.
    fn next(&mut self, compression: Compression) -> Result<Option<Vec<u8>>> {
        loop {
            if let Some((file, position)) = &mut self.open
                && let Some(record) = file.record(position)?
            {
                return Ok(Some(record));
            }
            let Some(name) = self.files.pop_front() else {
                self.open = None;
                return Ok(None);
            };
            self.open = Some((Source::open(&name, compression)?, 0));
        }
    }
}

/// All records, without end.
struct Records {
    options: Options,
    numbers: Mersenne,
    /// How often the files were begun.
    epoch: u64,
    /// Whether they had a record the last time.
    has_record: bool,
    shards: Vec<Shard>,
    /// The shard that is read next.
    turn: usize,
    buffer: Vec<Vec<u8>>,
    failure: Option<Error>,
}

impl Records {
    fn new(options: Options) -> Self {
        let numbers = Mersenne::new(options.seed);
        let (shards, buffer) = (Vec::new(), Vec::new());
        Self { options, numbers, epoch: 0, has_record: false, shards, turn: 0, buffer, failure: None }
    }

    /// The next record. An error stays.
    fn next(&mut self, env: Env<'_>) -> Result<Vec<u8>> {
        if self.failure.is_none() {
            self.failure = self.fill(env).err();
        }
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        self.buffer.pop().ok_or_else(|| Error::internal("the buffer of records is empty"))
    }

    /// Reads until the buffer is full or the files are at their end; from the first file on where it is empty then.
    fn fill(&mut self, env: Env<'_>) -> Result<()> {
        loop {
            while self.buffer.len() < self.options.buffer && !self.shards.is_empty() {
                env.poll();
                self.read_group()?;
            }
            if !self.buffer.is_empty() {
                return Ok(());
            }
            ensure!(self.epoch == 0 || self.has_record, "the files that file_pattern matches have no record");
            self.begin()?;
        }
    }

    /// Finds the files, and draws their order.
    fn begin(&mut self) -> Result<()> {
        let Options { patterns, seed, turn, at_once, .. } = &self.options;
        self.epoch += 1;
        self.has_record = false;
        let mut files = Vec::new();
        for pattern in patterns.split(|&byte| byte == b',') {
            files.extend(matching_paths(pattern)?.iter().map(TString::new));
        }
        if files.is_empty() {
            let message = format!("no file matches `{}`", patterns.escape_ascii());
            return Err(Error::new(Code::NotFound, ErrorKind::Io, message));
        }
        ensure!(*at_once > 0, "file_parallelism is 0, so that no file is read");
        Mersenne::new(hash(self.epoch, *seed)).shuffle(&mut files);
        if (0.0..1.0).contains(turn) {
            let (count, places) = (files.len(), (turn * files.len() as f32) as usize);
            files.rotate_left(places.min(count));
        }
        // bounded: by the number of files
        self.shards.resize_with((*at_once).min(files.len()), Shard::default);
        let count = self.shards.len();
        for (at, file) in files.into_iter().enumerate() {
            self.shards[at % count].files.push_back(file);
        }
        Ok(())
    }

    /// Reads some records of a shard, and puts as many as fit into the buffer, each to a random place.
    fn read_group(&mut self) -> Result<()> {
        let at = self.turn % self.shards.len();
        let Shard { group, .. } = &self.shards[at];
        let mut room = GROUP.saturating_sub(group.len()).max(1);
        while room > 0
            && let Some(record) = self.shards[at].next(self.options.compression)?
        {
            self.has_record = true;
            self.shards[at].group.push(record);
            room -= 1;
        }
        let group = &mut self.shards[at].group;
        try_reserve(&mut self.buffer, group.len())?;
        while self.buffer.len() < self.options.buffer
            && let Some(mut record) = group.pop()
        {
            let place = (self.numbers.draw() % (self.buffer.len() as u64 + 1)) as usize;
            if let Some(other) = self.buffer.get_mut(place) {
                std::mem::swap(other, &mut record);
            }
            self.buffer.push(record);
        }
        if room > 0 && group.is_empty() {
            self.shards.remove(at);
            self.turn = at;
        } else {
            self.turn = at + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    /// The first records of files with so many records each.
    fn records(name: &str, files: &[usize], batch_size: i64, buffer: i64) -> Result<Vec<String>> {
        let folder = std::env::temp_dir().join(format!("oplink-record-input-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut names = Vec::new();
        for (at, &count) in files.iter().enumerate() {
            let mut bytes = Vec::new();
            (0..count).for_each(|record| {
                oplink_bundle::write_record(&mut bytes, format!("{at}.{record}").as_bytes()).unwrap();
            });
            let file = folder.join(at.to_string());
            std::fs::write(&file, bytes).unwrap();
            names.push(file.to_str().unwrap().to_owned());
        }
        let attrs = [
            ("file_pattern", AttrValue::String(names.join(",").into_bytes())),
            ("file_random_seed", 301i64.into()),
            ("file_shuffle_shift_ratio", 0f32.into()),
            ("file_buffer_size", buffer.into()),
            ("file_parallelism", 2i64.into()),
            ("batch_size", batch_size.into()),
            ("compression_type", "".into()),
        ];
        let out = run("RecordInput", &attrs, Vec::new());
        std::fs::remove_dir_all(&folder).unwrap();
        let out = out?.remove(0);
        Ok(out.as_slice::<TString>()?.iter().map(|record| String::from_utf8_lossy(record.as_bytes()).into()).collect())
    }

    #[test]
    fn each_record_comes_once_before_any_comes_again() {
        for buffer in [1, 5, 1000] {
            let records = records("once", &[20, 0, 33], 106, buffer).unwrap();
            let mut epochs = [records[..53].to_vec(), records[53..].to_vec()];
            epochs.iter_mut().for_each(|epoch| epoch.sort());
            assert_eq!(epochs[0], epochs[1]);
            epochs[0].dedup();
            assert_eq!(epochs[0].len(), 53);
        }
    }

    #[test]
    fn files_without_records_are_refused() {
        assert_eq!(records("none", &[0, 0], 1, 10).unwrap_err().code(), Code::InvalidArgument);
        assert_eq!(records("no files", &[], 1, 10).unwrap_err().code(), Code::NotFound);
        assert!(records("nothing wanted", &[], 0, 10).unwrap().is_empty());
        assert!(records("negative", &[1], -1, 10).is_err());
    }
}
