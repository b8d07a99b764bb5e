//! Files: checkpoints and SavedModels that are damaged, and processes that are killed while they save.

mod checkpoints;
mod saved_models;
mod saves;

use crate::drawn;
use crate::suite::Suite;

pub use saves::save_forever;

/// Checkpoints with damaged bytes.
pub(crate) fn open_checkpoints(seed: u64) -> Box<dyn Suite> {
    drawn::open(seed, checkpoints::run)
}

/// SavedModels with damage.
pub(crate) fn open_saved_models(seed: u64) -> Box<dyn Suite> {
    drawn::open(seed, saved_models::run)
}

/// Kills during saves.
pub(crate) fn open_saves(seed: u64) -> Box<dyn Suite> {
    drawn::open(seed, saves::run)
}
