//! Events and pinned buffers that are used again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_api::Result;

use crate::executor::{Event, Executor, Pinned};

/// Bytes of unused pinned buffers that are kept.
const KEPT_BYTES: usize = 64 << 20;
/// The least size of a pinned buffer.
const LEAST_BYTES: usize = 4 << 10;
/// Unused events that are kept.
const KEPT_EVENTS: usize = 64;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pinned buffers.
pub(crate) struct Staging {
    free: Mutex<Vec<Pinned>>,
    executor: Arc<Executor>,
}

impl Staging {
    pub(crate) fn new(executor: Arc<Executor>) -> Self {
        Self { free: Mutex::default(), executor }
    }

    /// A buffer of at least `bytes`; `None` where the device gives no more pinned memory.
    pub(crate) fn take(&self, bytes: usize) -> Option<Pinned> {
        let size = bytes.max(LEAST_BYTES).checked_next_power_of_two()?;
        let mut free = lock(&self.free);
        if let Some(at) = free.iter().position(|buffer| buffer.len() == size) {
            return Some(free.swap_remove(at));
        }
        Pinned::new(&self.executor, size).or_else(|| {
            free.clear();
            Pinned::new(&self.executor, size)
        })
    }

    /// Takes a buffer back that no copy uses any more.
    pub(crate) fn give(&self, buffer: Pinned) {
        let mut free = lock(&self.free);
        let kept: usize = free.iter().map(Pinned::len).sum();
        if kept + buffer.len() <= KEPT_BYTES {
            free.push(buffer);
        }
    }
}

/// Events.
pub(crate) struct Events {
    free: Mutex<Vec<Event>>,
    executor: Arc<Executor>,
}

impl Events {
    pub(crate) fn new(executor: Arc<Executor>) -> Self {
        Self { free: Mutex::default(), executor }
    }

    pub(crate) fn take(&self) -> Result<Event> {
        let free = lock(&self.free).pop();
        free.map_or_else(|| Event::new(&self.executor), Ok)
    }

    /// Takes an event back that has passed and that no stream waits for any more.
    pub(crate) fn give(&self, event: Event) {
        let mut free = lock(&self.free);
        if free.len() < KEPT_EVENTS {
            free.push(event);
        }
    }
}
