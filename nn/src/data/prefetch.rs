//! Batches that are loaded while others are computed with.

use std::sync::mpsc::sync_channel;
use std::thread;

use oplink_api::{Error, Result};

use super::{Batch, Batches};

/// Batches that wait, at most, beside the one that is being loaded.
const WAITING: usize = 2;

/// Calls `take` on each batch until it says `false`; a thread of its own loads them.
pub(crate) fn prefetch(batches: Batches<'_>, mut take: impl FnMut(Batch) -> Result<bool>) -> Result<()> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING);
        let load = move || {
            for batch in batches {
                let is_last = batch.is_err();
                // Nobody takes batches any more where training stopped.
                if sender.send(batch).is_err() || is_last {
                    return;
                }
            }
        };
        let loader = thread::Builder::new().name("oplink-data".to_owned()).spawn_scoped(scope, load)?;
        let mut taken = Ok(());
        for batch in &receiver {
            match batch.and_then(&mut take) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    taken = Err(error);
                    break;
                }
            }
        }
        drop(receiver);
        let ended = loader.join().map_err(|_| Error::internal("a data set panicked while it made a batch"));
        taken.and(ended)
    })
}
