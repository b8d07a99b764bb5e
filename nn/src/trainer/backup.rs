//! The state of training in files, from which it continues.

use std::fs;
use std::path::{Path, PathBuf};

use oplink_api::{Error, Result, ResultExt, Tensor};
use oplink_bundle::{BundleReader, BundleWriter, data_path, index_path, write_file};

use super::Trainer;
use super::callback::Callback;
use super::state::{RunState, Tensors};
use crate::weights;

type Callbacks<'d> = [Box<dyn Callback + 'd>];

/// The file that names the last checkpoint of a folder, as TensorFlow's `latest_checkpoint` reads it.
const LATEST: &str = "checkpoint";

/// Keeps the state of training in a folder: variables, what the optimiser keeps of them, the epoch, the batch, means,
/// history, and what callbacks know. Training that is called again with the same folder continues from the last state,
/// with the same numbers as if it had never ended, even where its process was killed.
///
/// A state is a checkpoint in TensorFlow's format. Its files get their names when they are complete and on the disk,
/// and the file `checkpoint`, which names it, is written after that. At the end of training the folder is emptied.
///
/// What continues exactly is what follows from these numbers: data sets give the same batches for the same epoch,
/// layers of this crate keep their random state in variables. A model that calls an op with a random state of its own
/// (`RandomUniform`, not `StatelessRandomUniform`) draws other numbers.
#[derive(Clone, Debug)]
pub struct BackupAndRestore {
    dir: PathBuf,
    save_freq: Option<u64>,
    deletes: bool,
}

impl BackupAndRestore {
    /// Keeps the state in this folder, behind each epoch.
    pub fn new(dir: impl AsRef<Path>) -> Self {
        Self { dir: dir.as_ref().to_owned(), save_freq: None, deletes: true }
    }

    /// Keeps the state every so many batches, and behind each epoch.
    #[must_use]
    pub fn save_freq(self, batches: u64) -> Self {
        Self { save_freq: Some(batches.max(1)), ..self }
    }

    /// Whether the folder is emptied at the end of training. Where it is not, training that is called again with more
    /// epochs continues.
    #[must_use]
    pub fn delete_checkpoint(self, deletes: bool) -> Self {
        Self { deletes, ..self }
    }

    pub(super) fn is_due(&self, step: u64, is_epoch_end: bool) -> bool {
        is_epoch_end || self.save_freq.is_some_and(|freq| step.is_multiple_of(freq))
    }

    pub(super) fn save(&self, trainer: &Trainer<'_>, callbacks: &Callbacks<'_>, state: &RunState) -> Result<()> {
        fs::create_dir_all(&self.dir)?;
        let name = format!("backup-{}-{}", state.step, state.epoch);
        let mut writer = BundleWriter::new(self.dir.join(&name))?;
        weights::add(&mut writer, "model/", &*trainer.model)?;
        weights::add(&mut writer, "optimizer/", &trainer.optimizer)?;
        state.to_tensors().iter().try_for_each(|(name, tensor)| writer.add(format!("trainer/{name}"), tensor))?;
        for (at, callback) in callbacks.iter().enumerate() {
            for (name, tensor) in callback.state()? {
                writer.add(format!("callbacks/{at}/{name}"), &tensor)?;
            }
        }
        writer.finish()?;
        name_latest(&self.dir, &name)?;
        self.remove(Some(&name))
    }

    /// The last state, where there is one: variables, optimiser and callbacks take theirs.
    pub(super) fn restore(&self, trainer: &Trainer<'_>, callbacks: &mut Callbacks<'_>) -> Result<Option<RunState>> {
        let Some(name) = latest(&self.dir)? else { return Ok(None) };
        let path = self.dir.join(name);
        let restored = restore_from(&path, trainer, callbacks);
        restored.map(Some).context_with(|| {
            format!("while training was to continue from {}: delete the folder to start anew", path.display())
        })
    }

    /// Training is done.
    pub(super) fn end(&self) -> Result<()> {
        if self.deletes && self.dir.is_dir() {
            let _ = fs::remove_file(self.dir.join(LATEST));
            self.remove(None)?;
        }
        Ok(())
    }

    /// Removes all states but one, and what a process that was killed left of others.
    fn remove(&self, kept: Option<&str>) -> Result<()> {
        for entry in fs::read_dir(&self.dir)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            let is_kept = kept.is_some_and(|kept| name.strip_prefix(kept).is_some_and(|rest| rest.starts_with('.')));
            let is_partial = name.contains(".tempstate");
            if name.starts_with("backup-") && (!is_kept || is_partial) {
                // Files of an older state that stay do no harm.
                let _ = fs::remove_file(self.dir.join(name));
            }
        }
        Ok(())
    }
}

fn restore_from(path: &Path, trainer: &Trainer<'_>, callbacks: &mut Callbacks<'_>) -> Result<RunState> {
    let reader = BundleReader::open(path)?;
    let state = RunState::from_tensors(&part(&reader, "trainer/")?)?;
    for (at, callback) in callbacks.iter_mut().enumerate() {
        callback.restore(&part(&reader, &format!("callbacks/{at}/"))?)?;
    }
    let read = |prefix, name: &str| reader.read(weights::key(prefix, name));
    let model = weights::read_all(&*trainer.model, |name| read("model/", name))?;
    let optimizer = weights::read_all(&trainer.optimizer, |name| read("optimizer/", name))?;
    weights::assign(model)?;
    weights::assign(optimizer)?;
    Ok(state)
}

/// The tensors whose names start so, without that.
fn part(reader: &BundleReader, prefix: &str) -> Result<Tensors> {
    let names = reader.tensors().filter_map(|info| std::str::from_utf8(info.name).ok()?.strip_prefix(prefix));
    names.map(|name| Ok((name.to_owned(), reader.read(format!("{prefix}{name}"))?))).collect()
}

/// Makes a checkpoint the one that TensorFlow's `latest_checkpoint` finds.
pub(super) fn name_latest(dir: &Path, name: &str) -> Result<()> {
    let text = format!("model_checkpoint_path: \"{name}\"\nall_model_checkpoint_paths: \"{name}\"\n");
    write_file(dir.join(LATEST), text.as_bytes())
}

/// The name of the last checkpoint of a folder.
fn latest(dir: &Path) -> Result<Option<String>> {
    let path = dir.join(LATEST);
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path)?;
    let name = text.lines().find_map(|line| line.strip_prefix("model_checkpoint_path: \"")?.strip_suffix('"'));
    name.map(|name| Some(name.to_owned())).ok_or_else(|| {
        Error::invalid_argument(format!("{} names no checkpoint: delete the folder to start anew", path.display()))
    })
}

/// Removes the files of a checkpoint.
pub(super) fn remove_checkpoint(prefix: &Path) {
    let _ = fs::remove_file(index_path(prefix));
    let _ = fs::remove_file(data_path(prefix, 0, 1));
}

/// A number of a callback's state.
pub(super) fn number(state: &[(String, Tensor)], name: &str) -> Result<Option<f64>> {
    let found = state.iter().find(|(known, _)| known == name);
    found.map(|(_, tensor)| tensor.to_scalar::<f64>()).transpose()
}
