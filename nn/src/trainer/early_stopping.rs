//! The end of training where a number does not get better any more.

use std::collections::HashMap;

use oplink_api::{Error, Result, Tensor};

use super::backup::number;
use super::callback::{Callback, Progress};
use super::logs::Logs;
use crate::weights;

/// Which numbers are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smaller ones, as losses.
    Min,
    /// Larger ones, as accuracies.
    Max,
}

/// The best number of a name up to now.
#[derive(Clone, Debug)]
pub(super) struct Monitor {
    name: String,
    direction: Direction,
    min_delta: f64,
    best: Option<f64>,
}

impl Monitor {
    /// Larger is better where the name says accuracy or area under a curve, as Keras has it.
    pub(super) fn new(name: &str) -> Self {
        let grows = name.ends_with("acc") || name.contains("accuracy") || name.ends_with("auc");
        let direction = if grows { Direction::Max } else { Direction::Min };
        Self { name: name.to_owned(), direction, min_delta: 0.0, best: None }
    }

    pub(super) fn mode(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    pub(super) fn best(&self) -> Option<f64> {
        self.best
    }

    pub(super) fn set_best(&mut self, best: f64) {
        self.best = Some(best);
    }

    /// Whether this epoch's number is better than all before. One that is not a number never is.
    pub(super) fn improves(&mut self, logs: &Logs) -> Result<bool> {
        let value = logs.monitored(&self.name)?;
        let better = match (self.best, self.direction) {
            (None, _) => !value.is_nan(),
            (Some(best), Direction::Min) => value < best - self.min_delta,
            (Some(best), Direction::Max) => value > best + self.min_delta,
        };
        if better {
            self.best = Some(value);
        }
        Ok(better)
    }
}

/// Ends training when a number has not become better for some epochs.
#[derive(Debug)]
pub struct EarlyStopping {
    monitor: Monitor,
    patience: usize,
    wait: usize,
    restores: bool,
    best_weights: Vec<(String, Tensor)>,
    stopped_epoch: Option<usize>,
}

impl EarlyStopping {
    /// Ends training behind the first epoch whose number of this name is not better than the best one before.
    pub fn new(monitor: &str) -> Self {
        let monitor = Monitor::new(monitor);
        Self { monitor, patience: 0, wait: 0, restores: false, best_weights: Vec::new(), stopped_epoch: None }
    }

    /// Waits so many epochs for a better number.
    #[must_use]
    pub fn patience(self, epochs: usize) -> Self {
        Self { patience: epochs, ..self }
    }

    /// A number is better only where it is so by more than this.
    #[must_use]
    pub fn min_delta(mut self, delta: f64) -> Self {
        self.monitor.min_delta = delta.abs();
        self
    }

    /// Whether a smaller or a larger number is better; told by its name else.
    #[must_use]
    pub fn mode(mut self, direction: Direction) -> Self {
        self.monitor.direction = direction;
        self
    }

    /// Gives the model the variables of its best epoch, at the end.
    #[must_use]
    pub fn restore_best_weights(self) -> Self {
        Self { restores: true, ..self }
    }

    /// The epoch, counted from 0, behind which training was ended; `None` where it was not.
    pub fn stopped_epoch(&self) -> Option<usize> {
        self.stopped_epoch
    }
}

impl Callback for EarlyStopping {
    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        if self.monitor.improves(progress.logs)? {
            self.wait = 0;
            if self.restores {
                self.best_weights = weights::values(progress.model)?;
            }
            return Ok(());
        }
        self.wait += 1;
        if self.wait >= self.patience && progress.epoch > 0 {
            self.stopped_epoch = Some(progress.epoch);
            progress.stop_training();
        }
        Ok(())
    }

    fn on_train_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        if self.best_weights.is_empty() {
            return Ok(());
        }
        let best: HashMap<String, Tensor> = std::mem::take(&mut self.best_weights).into_iter().collect();
        let missing = |name: &str| Error::internal(format!("the best epoch had no variable `{name}`"));
        let read = |name: &str| best.get(name).cloned().ok_or_else(|| missing(name));
        weights::assign(weights::read_all(progress.model, read)?)
    }

    fn state(&self) -> Result<Vec<(String, Tensor)>> {
        let mut state = vec![("wait".to_owned(), Tensor::scalar(self.wait as f64))];
        state.extend(self.monitor.best.map(|best| ("best".to_owned(), Tensor::scalar(best))));
        state.extend(self.stopped_epoch.map(|epoch| ("stopped_epoch".to_owned(), Tensor::scalar(epoch as f64))));
        state.extend(self.best_weights.iter().map(|(name, tensor)| (format!("best_weights/{name}"), tensor.clone())));
        Ok(state)
    }

    fn restore(&mut self, state: &[(String, Tensor)]) -> Result<()> {
        self.wait = number(state, "wait")?.unwrap_or(0.0) as usize;
        self.monitor.best = number(state, "best")?;
        self.stopped_epoch = number(state, "stopped_epoch")?.map(|epoch| epoch as usize);
        let weights = state.iter().filter_map(|(name, tensor)| {
            name.strip_prefix("best_weights/").map(|name| (name.to_owned(), tensor.clone()))
        });
        self.best_weights = weights.collect();
        Ok(())
    }
}
