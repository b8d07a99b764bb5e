//! What is called while a model is trained.

use oplink_api::{Result, Tensor};

use super::logs::{History, Logs};
use crate::layers::Layer;
use crate::optimizers::Optimizer;

/// Where training is.
pub struct Progress<'t> {
    /// The model.
    pub model: &'t dyn Layer,
    /// The optimiser.
    pub optimizer: &'t Optimizer,
    /// The epoch, counted from 0.
    pub epoch: usize,
    /// The epochs that are to be done.
    pub epochs: usize,
    /// The batches of this epoch that are done.
    pub batch: usize,
    /// The batches of an epoch, where that is known.
    pub num_batches: Option<usize>,
    /// The examples of this epoch that are done.
    pub rows: usize,
    /// The batches of all epochs that are done.
    pub step: u64,
    /// The means over this epoch up to now; at its end those of the validation data, too.
    pub logs: &'t Logs,
    /// The epochs that are done.
    pub history: &'t History,
    pub(super) stops: &'t mut bool,
}

impl Progress<'_> {
    /// Ends training behind this batch or epoch.
    pub fn stop_training(&mut self) {
        *self.stops = true;
    }
}

impl std::fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { epoch, batch, step, logs, .. } = self;
        write!(f, "Progress(epoch {epoch}, batch {batch}, step {step}, {logs:?})")
    }
}

/// What is called while a model is trained. An error ends training.
#[allow(unused_variables, reason = "the names are documentation")]
pub trait Callback {
    /// Before the first step; also where training continues that was interrupted.
    fn on_train_begin(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        Ok(())
    }

    /// Before an epoch, and where training continues in the middle of one.
    fn on_epoch_begin(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        Ok(())
    }

    /// Behind a step.
    fn on_train_batch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        Ok(())
    }

    /// Behind an epoch and its validation.
    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        Ok(())
    }

    /// Behind the last epoch.
    fn on_train_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        Ok(())
    }

    /// What it knows of the steps that are done, by names: a backup keeps it.
    fn state(&self) -> Result<Vec<(String, Tensor)>> {
        Ok(Vec::new())
    }

    /// Takes what [`Callback::state`] gave, where training continues.
    fn restore(&mut self, state: &[(String, Tensor)]) -> Result<()> {
        Ok(())
    }
}

impl<C: Callback + ?Sized> Callback for &mut C {
    fn on_train_begin(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        (**self).on_train_begin(progress)
    }

    fn on_epoch_begin(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        (**self).on_epoch_begin(progress)
    }

    fn on_train_batch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        (**self).on_train_batch_end(progress)
    }

    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        (**self).on_epoch_end(progress)
    }

    fn on_train_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        (**self).on_train_end(progress)
    }

    fn state(&self) -> Result<Vec<(String, Tensor)>> {
        (**self).state()
    }

    fn restore(&mut self, state: &[(String, Tensor)]) -> Result<()> {
        (**self).restore(state)
    }
}
