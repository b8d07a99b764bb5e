//! Numbers for TensorBoard: event files, which hold a record for each number.

use std::path::{Path, PathBuf};

use oplink_api::Result;
use oplink_bundle::{EventFile, wall_time};
use oplink_spec::wire::{put_bytes, put_fixed32, put_fixed64, put_number};

use super::callback::{Callback, Progress};

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
            None => Ok(file.insert(EventFile::create(&self.log_dir.join(name), "")?)),
        }
    }
}

impl Callback for TensorBoard {
    fn on_train_batch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        if self.update_freq.is_some_and(|freq| progress.step.is_multiple_of(freq)) {
            let (step, file) = (progress.step, self.file(false)?);
            let mut logs = progress.logs.iter();
            logs.try_for_each(|(name, value)| scalar(file, &format!("batch_{name}"), value, step))?;
            return file.flush();
        }
        Ok(())
    }

    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        for (name, value) in progress.logs.iter() {
            let (name, validation) = name.strip_prefix("val_").map_or((name, false), |name| (name, true));
            scalar(self.file(validation)?, &format!("epoch_{name}"), value, progress.epoch as u64)?;
        }
        [&mut self.train, &mut self.validation].into_iter().flatten().try_for_each(EventFile::flush)
    }

    fn on_train_end(&mut self, _: &mut Progress<'_>) -> Result<()> {
        let files = [self.train.take(), self.validation.take()];
        files.into_iter().flatten().try_for_each(|mut file| file.flush())
    }
}

/// Adds a number.
fn scalar(file: &mut EventFile, tag: &str, value: f64, step: u64) -> Result<()> {
    let mut number = Vec::new();
    put_bytes(&mut number, 1, tag.as_bytes());
    put_fixed32(&mut number, 2, (value as f32).to_bits());
    let (mut summary, mut event) = (Vec::new(), Vec::new());
    put_bytes(&mut summary, 1, &number);
    put_fixed64(&mut event, 1, wall_time().to_bits());
    put_number(&mut event, 2, step as i64);
    put_bytes(&mut event, 5, &summary);
    file.write(&event)
}
