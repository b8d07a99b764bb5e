//! Numbers for TensorBoard: event files, which hold a record for each number.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use oplink_api::Result;
use oplink_bundle::file_error;
use oplink_spec::wire::{put_bytes, put_fixed32, put_fixed64, put_number};

use super::callback::{Callback, Progress};
use crate::data::write_record;

/// Writes event files that TensorBoard shows, in the folders `train` and `validation` as Keras does: `epoch_loss` and
/// the like behind each epoch, over the epochs; with [`TensorBoard::update_freq`] also `batch_loss` over the steps.
/// Training that continues starts files of its own, which say the same of steps that are done anew.
#[derive(Debug)]
pub struct TensorBoard {
    log_dir: PathBuf,
    update_freq: Option<u64>,
    train: Option<EventFile>,
    validation: Option<EventFile>,
}

impl TensorBoard {
    /// Files go to folders in this one.
    pub fn new(log_dir: impl AsRef<Path>) -> Self {
        Self { log_dir: log_dir.as_ref().to_owned(), update_freq: None, train: None, validation: None }
    }

    /// Writes numbers every so many batches, too.
    #[must_use]
    pub fn update_freq(self, batches: u64) -> Self {
        Self { update_freq: Some(batches.max(1)), ..self }
    }

    fn file(&mut self, validation: bool) -> Result<&mut EventFile> {
        let (file, name) = match validation {
            true => (&mut self.validation, "validation"),
            false => (&mut self.train, "train"),
        };
        match file {
            Some(file) => Ok(file),
            None => Ok(file.insert(EventFile::create(&self.log_dir.join(name))?)),
        }
    }
}

impl Callback for TensorBoard {
    fn on_train_batch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        if self.update_freq.is_some_and(|freq| progress.step.is_multiple_of(freq)) {
            let (step, file) = (progress.step, self.file(false)?);
            let mut logs = progress.logs.iter();
            logs.try_for_each(|(name, value)| file.scalar(&format!("batch_{name}"), value, step))?;
            return file.flush();
        }
        Ok(())
    }

    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        for (name, value) in progress.logs.iter() {
            let (name, validation) = name.strip_prefix("val_").map_or((name, false), |name| (name, true));
            self.file(validation)?.scalar(&format!("epoch_{name}"), value, progress.epoch as u64)?;
        }
        [&mut self.train, &mut self.validation].into_iter().flatten().try_for_each(EventFile::flush)
    }

    fn on_train_end(&mut self, _: &mut Progress<'_>) -> Result<()> {
        let files = [self.train.take(), self.validation.take()];
        files.into_iter().flatten().try_for_each(|mut file| file.flush())
    }
}

/// A file of `Event` messages, each a record.
#[derive(Debug)]
struct EventFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl EventFile {
    fn create(dir: &Path) -> Result<Self> {
        std::fs::create_dir_all(dir).map_err(|error| file_error("create directory", dir, &error))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name =
            format!("events.out.tfevents.{}.oplink.{}.{}", now.as_secs(), std::process::id(), now.subsec_nanos());
        let path = dir.join(name);
        let file = File::create_new(&path).map_err(|error| file_error("create", &path, &error))?;
        let mut made = Self { path, file: BufWriter::new(file) };
        made.event(0, |event| put_bytes(event, 3, b"brain.Event:2"))?;
        Ok(made)
    }

    /// Adds a number.
    fn scalar(&mut self, tag: &str, value: f64, step: u64) -> Result<()> {
        let mut number = Vec::new();
        put_bytes(&mut number, 1, tag.as_bytes());
        put_fixed32(&mut number, 2, (value as f32).to_bits());
        let mut summary = Vec::new();
        put_bytes(&mut summary, 1, &number);
        self.event(step, |event| put_bytes(event, 5, &summary))
    }

    fn event(&mut self, step: u64, what: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut event = Vec::new();
        put_fixed64(&mut event, 1, now.as_secs_f64().to_bits());
        put_number(&mut event, 2, step as i64);
        what(&mut event);
        write_record(&mut self.file, &event).map_err(|error| file_error("write", &self.path, &error))
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush().map_err(|error| file_error("write", &self.path, &error))
    }
}
