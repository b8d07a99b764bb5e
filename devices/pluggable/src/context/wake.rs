//! How a stream wakes the thread that waits for copies to the host.
//!
//! A plugin may call back late, or never, or twice. So a callback carries a number, not an address, and says no more
//! than "look again".
#![allow(unsafe_code, reason = "room: called by a plugin")]

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oplink_abi::TF_Status;

use crate::executor::Stream;

static WAKES: Mutex<BTreeMap<usize, Arc<Signal>>> = Mutex::new(BTreeMap::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Default)]
struct Signal {
    count: Mutex<u64>,
    changed: Condvar,
}

impl Signal {
    fn raise(&self) {
        *lock(&self.count) += 1;
        self.changed.notify_all();
    }
}

/// Counts the times that somebody said "look again".
pub(super) struct Wake {
    number: usize,
    signal: Arc<Signal>,
}

impl Wake {
    pub(super) fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(1);
        let (number, signal) = (NUMBER.fetch_add(1, Relaxed), Arc::<Signal>::default());
        lock(&WAKES).insert(number, signal.clone());
        Self { number, signal }
    }

    /// The count so far.
    pub(super) fn count(&self) -> u64 {
        *lock(&self.signal.count)
    }

    pub(super) fn raise(&self) {
        self.signal.raise();
    }

    /// Waits until the count is another than `seen`, at most `limit` where there is one.
    pub(super) fn wait(&self, seen: u64, limit: Option<Duration>) {
        let count = lock(&self.signal.count);
        let same = |count: &mut u64| *count == seen;
        match limit {
            None => drop(self.signal.changed.wait_while(count, same)),
            Some(limit) => drop(self.signal.changed.wait_timeout_while(count, limit, same)),
        }
    }

    /// Has the stream raise it when it has done what it was given so far; false where the plugin does not do that.
    pub(super) fn raise_after(&self, stream: &Stream) -> bool {
        // SAFETY: the callback takes any number at any time.
        unsafe { stream.call_back(Some(called_back), std::ptr::without_provenance_mut(self.number)) }
    }
}

impl Drop for Wake {
    fn drop(&mut self) {
        lock(&WAKES).remove(&self.number);
    }
}

/// What plugins call. The status stays as it is: there is nothing to fail.
unsafe extern "C" fn called_back(number: *mut c_void, _: *mut TF_Status) {
    let _ = catch_unwind(|| {
        let signal = lock(&WAKES).get(&number.addr()).cloned();
        if let Some(signal) = signal {
            signal.raise();
        }
    });
}
