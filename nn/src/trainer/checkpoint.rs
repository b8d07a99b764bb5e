//! Checkpoints of the model's variables on the way.

use std::path::{Path, PathBuf};

use oplink_api::{Result, Tensor};

use super::backup::{name_latest, number, remove_checkpoint};
use super::callback::{Callback, Progress};
use super::early_stopping::{Direction, Monitor};
use crate::weights;

/// Writes the model's variables behind each epoch to a folder, in TensorFlow's format, as `ckpt-EPOCH`; the file
/// `checkpoint` beside them names the last one. [`crate::weights::load`] reads them.
#[derive(Debug)]
pub struct ModelCheckpoint {
    dir: PathBuf,
    best_only: Option<Monitor>,
    period: usize,
    max_to_keep: Option<usize>,
    written: Vec<PathBuf>,
}

impl ModelCheckpoint {
    /// Checkpoints in this folder, of which the last 5 are kept.
    pub fn new(dir: impl AsRef<Path>) -> Self {
        let dir = dir.as_ref().to_owned();
        Self { dir, best_only: None, period: 1, max_to_keep: Some(5), written: Vec::new() }
    }

    /// Keeps one checkpoint, `best`, of the epoch whose number of this name was the best.
    #[must_use]
    pub fn save_best_only(self, monitor: &str) -> Self {
        Self { best_only: Some(Monitor::new(monitor)), ..self }
    }

    /// Whether a smaller or a larger number is better; told by its name else.
    #[must_use]
    pub fn mode(mut self, direction: Direction) -> Self {
        self.best_only = self.best_only.map(|monitor| monitor.mode(direction));
        self
    }

    /// Writes one only every so many epochs.
    #[must_use]
    pub fn every(self, epochs: usize) -> Self {
        Self { period: epochs.max(1), ..self }
    }

    /// Keeps this many checkpoints; `None` keeps all.
    #[must_use]
    pub fn max_to_keep(self, count: impl Into<Option<usize>>) -> Self {
        Self { max_to_keep: count.into(), ..self }
    }

    fn remove_old(&mut self) {
        let Some(count) = self.max_to_keep else { return };
        let old = self.written.len().saturating_sub(count.max(1));
        self.written.drain(..old).for_each(|prefix| remove_checkpoint(&prefix));
    }
}

impl Callback for ModelCheckpoint {
    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        let is_due = match &mut self.best_only {
            Some(monitor) => monitor.improves(progress.logs)?,
            None => (progress.epoch + 1).is_multiple_of(self.period),
        };
        if !is_due {
            return Ok(());
        }
        let name = if self.best_only.is_some() { "best".to_owned() } else { format!("ckpt-{}", progress.epoch + 1) };
        std::fs::create_dir_all(&self.dir)?;
        let prefix = self.dir.join(&name);
        weights::save(progress.model, &prefix)?;
        name_latest(&self.dir, &name)?;
        self.written.retain(|known| *known != prefix);
        self.written.push(prefix);
        self.remove_old();
        Ok(())
    }

    fn state(&self) -> Result<Vec<(String, Tensor)>> {
        let epochs = self
            .written
            .iter()
            .filter_map(|prefix| prefix.file_name()?.to_str()?.strip_prefix("ckpt-")?.parse::<i64>().ok());
        let mut state = vec![("written".to_owned(), Tensor::from_slice(&epochs.collect::<Vec<_>>()))];
        let best = self.best_only.as_ref().and_then(Monitor::best);
        state.extend(best.map(|best| ("best".to_owned(), Tensor::scalar(best))));
        Ok(state)
    }

    fn restore(&mut self, state: &[(String, Tensor)]) -> Result<()> {
        if let Some((_, epochs)) = state.iter().find(|(name, _)| name == "written") {
            let paths = epochs.as_slice::<i64>()?.iter().map(|epoch| self.dir.join(format!("ckpt-{epoch}")));
            self.written = paths.collect();
        }
        if let (Some(monitor), Some(best)) = (&mut self.best_only, number(state, "best")?) {
            monitor.set_best(best);
        }
        Ok(())
    }
}
