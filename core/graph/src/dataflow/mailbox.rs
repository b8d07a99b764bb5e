//! Where the driving thread of a run waits for what happens elsewhere.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use oplink_api::{Result, Tensor};

use super::state::Task;

/// An asynchronous kernel that finished.
pub(super) struct Finished {
    pub(super) task: Task,
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) outputs: Result<Vec<Option<Tensor>>>,
}

/// Receives what finishes on other threads. It outlives its run where a kernel finishes after that.
#[derive(Default)]
pub(super) struct Mailbox {
    contents: Mutex<Contents>,
    changed: Condvar,
    has_finished: AtomicBool,
    was_woken: AtomicBool,
}

#[derive(Default)]
struct Contents {
    finished: Vec<Finished>,
    woken: bool,
}

impl Mailbox {
    pub(super) fn send(&self, finished: Finished) {
        self.contents().finished.push(finished);
        self.has_finished.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Ends the present or the next wait.
    pub(super) fn wake(&self) {
        self.contents().woken = true;
        self.was_woken.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Whether something finished, or somebody woke this up since the last call.
    #[inline]
    pub(super) fn has_news(&self) -> bool {
        self.has_finished.load(Ordering::Acquire)
            || self.was_woken.load(Ordering::Relaxed) && self.was_woken.swap(false, Ordering::Acquire)
    }

    /// What finished since the last call.
    #[inline]
    pub(super) fn receive(&self) -> Vec<Finished> {
        if !self.has_finished.load(Ordering::Acquire) {
            return Vec::new();
        }
        self.has_finished.store(false, Ordering::Relaxed);
        std::mem::take(&mut self.contents().finished)
    }

    /// Waits until something finishes, somebody wakes this up, or it is `deadline`.
    pub(super) fn wait(&self, deadline: Option<Instant>) {
        let mut contents = self.contents();
        while contents.finished.is_empty() && !std::mem::take(&mut contents.woken) {
            contents = match deadline {
                None => self.changed.wait(contents).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return;
                    }
                    self.changed.wait_timeout(contents, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
