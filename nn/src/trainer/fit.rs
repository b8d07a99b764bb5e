//! The loop over epochs and batches.

use std::fmt;

use oplink_api::{Result, ensure};

use super::Trainer;
use super::backup::BackupAndRestore;
use super::callback::{Callback, Progress};
use super::logs::{History, Logs};
use super::progbar::{ProgbarLogger, Verbose};
use super::state::RunState;
use crate::data::{Batch, Dataset, prefetch};
use crate::trace::function;
use crate::value::Value;

/// How a model is trained.
pub struct Fit<'d> {
    epochs: usize,
    validation_data: Option<&'d dyn Dataset>,
    callbacks: Vec<Box<dyn Callback + 'd>>,
    backup: Option<BackupAndRestore>,
    verbose: Verbose,
}

impl<'d> Fit<'d> {
    /// So many times over the data.
    pub fn epochs(epochs: usize) -> Self {
        Self { epochs, validation_data: None, callbacks: Vec::new(), backup: None, verbose: Verbose::default() }
    }

    /// Evaluates the model with this data behind each epoch.
    #[must_use]
    pub fn validation_data(self, data: &'d dyn Dataset) -> Self {
        Self { validation_data: Some(data), ..self }
    }

    /// One more callback: a value, or `&mut` of one that is looked at afterwards.
    #[must_use]
    pub fn callback(mut self, callback: impl Callback + 'd) -> Self {
        self.callbacks.push(Box::new(callback));
        self
    }

    /// Keeps the state of training in a folder, and continues from there.
    #[must_use]
    pub fn backup_and_restore(self, backup: BackupAndRestore) -> Self {
        Self { backup: Some(backup), ..self }
    }

    /// What is shown of the progress.
    #[must_use]
    pub fn verbose(self, verbose: Verbose) -> Self {
        Self { verbose, ..self }
    }
}

impl fmt::Debug for Fit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fit({} epochs, {} callbacks)", self.epochs, self.callbacks.len())
    }
}

impl Trainer<'_> {
    /// Trains the model: goes over the data so many times, and tells what came of each epoch.
    ///
    /// # Errors
    /// The data cannot be read or has no batch; the model's, the loss's and the metrics'; a callback's; a backup that
    /// cannot be written or is of another model.
    pub fn fit(&self, data: &dyn Dataset, mut fit: Fit<'_>) -> Result<History> {
        if let Some(logger) = ProgbarLogger::of(fit.verbose) {
            fit.callbacks.insert(0, Box::new(logger));
        }
        let mut run = Run { trainer: self, num_batches: data.num_batches(), state: RunState::default(), fit };
        run.restore()?;
        run.train(data)?;
        Ok(run.state.history)
    }
}

/// One call of [`Trainer::fit`].
struct Run<'r, 'm, 'd> {
    trainer: &'r Trainer<'m>,
    num_batches: Option<usize>,
    state: RunState,
    fit: Fit<'d>,
}

impl Run<'_, '_, '_> {
    fn restore(&mut self) -> Result<()> {
        let Some(backup) = &self.fit.backup else { return Ok(()) };
        if let Some(state) = backup.restore(self.trainer, &mut self.fit.callbacks)? {
            self.state = state;
        }
        Ok(())
    }

    fn train(&mut self, data: &dyn Dataset) -> Result<()> {
        let trainer = self.trainer;
        let train = function(|batch| trainer.train_step(batch));
        let test = function(|batch| trainer.test_step(batch));
        self.call(&self.logs(), |callback, progress| callback.on_train_begin(progress))?;
        while self.state.epoch < self.fit.epochs && !self.state.stopped {
            self.call(&self.logs(), |callback, progress| callback.on_epoch_begin(progress))?;
            prefetch(data.batches(self.state.epoch as u64, self.state.batch)?, |batch| {
                self.batch(batch, |values| train.call(values))?;
                // What stopped in the middle of an epoch is stored behind its validation.
                let goes_on = !self.state.stopped;
                if goes_on {
                    self.back_up(false)?;
                }
                Ok(goes_on)
            })?;
            ensure!(self.state.means.rows > 0, "the data has no examples to train with");
            self.end_epoch(|values| test.call(values))?;
        }
        self.call(&self.logs(), |callback, progress| callback.on_train_end(progress))?;
        self.fit.backup.as_ref().map_or(Ok(()), BackupAndRestore::end)
    }

    fn batch(&mut self, batch: Batch, train: impl FnOnce([Value; 2]) -> Result<Vec<Value>>) -> Result<()> {
        if let Some(schedule) = &self.trainer.schedule {
            self.trainer
                .optimizer
                .set_learning_rate(schedule.at(self.state.step / u64::from(self.trainer.accumulated)))?;
        }
        let rows = batch.num_rows();
        let measured = train([batch.x.into(), batch.y.into()])?;
        self.state.means.add(&measured, rows)?;
        self.state.batch += 1;
        self.state.step += 1;
        self.call(&self.logs(), |callback, progress| callback.on_train_batch_end(progress))
    }

    fn end_epoch(&mut self, mut test: impl FnMut([Value; 2]) -> Result<Vec<Value>>) -> Result<()> {
        let mut logs = self.logs();
        if let Some(data) = self.fit.validation_data {
            let means = Trainer::means(data, &mut test)?;
            self.trainer.logs(&means, "val_").iter().for_each(|(name, value)| logs.set(name, value));
        }
        logs.set("learning_rate", self.trainer.optimizer.learning_rate()?);
        self.state.history.epochs.push(logs.clone());
        self.call(&logs, |callback, progress| callback.on_epoch_end(progress))?;
        self.state.next_epoch();
        self.back_up(true)
    }

    /// The means of this epoch up to now.
    fn logs(&self) -> Logs {
        self.trainer.logs(&self.state.means, "")
    }

    fn call(
        &mut self,
        logs: &Logs,
        mut call: impl FnMut(&mut dyn Callback, &mut Progress<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut stops = self.state.stopped;
        let mut progress = Progress {
            model: &*self.trainer.model,
            optimizer: &self.trainer.optimizer,
            epoch: self.state.epoch,
            epochs: self.fit.epochs,
            batch: self.state.batch,
            num_batches: self.num_batches,
            rows: self.state.means.rows,
            step: self.state.step,
            logs,
            history: &self.state.history,
            stops: &mut stops,
        };
        self.fit.callbacks.iter_mut().try_for_each(|callback| call(&mut **callback, &mut progress))?;
        self.state.stopped = stops;
        Ok(())
    }

    /// Writes a backup where one is due.
    fn back_up(&self, is_epoch_end: bool) -> Result<()> {
        match &self.fit.backup {
            Some(backup) if backup.is_due(self.state.step, is_epoch_end) => {
                backup.save(self.trainer, &self.fit.callbacks, &self.state)
            }
            _ => Ok(()),
        }
    }
}
