//! How devices end whose work may never end.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use oplink_api::log::warn;

/// How long whoever drops a device waits for its work.
pub const LONGEST_END: Duration = Duration::from_secs(5);

thread_local! {
    /// Whether nobody waits for what this thread drops.
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

/// What a device's end needs to be waited for: its threads, queues and memory.
///
/// It is dropped on a thread of its own. Whoever drops it waits no longer than [`LONGEST_END`]; after that a warning
/// says so, and what is left stays as it is until the device's work ends, if ever. So nothing is given back that the
/// device still uses.
pub struct DetachedDrop<T: Send + 'static> {
    device: String,
    parts: Option<T>,
}

impl<T: Send + 'static> DetachedDrop<T> {
    /// The parts of the device of this name.
    pub fn new(device: impl Into<String>, parts: T) -> Self {
        Self { device: device.into(), parts: Some(parts) }
    }
}

impl<T: Send + 'static> Deref for DetachedDrop<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.parts.as_ref().expect("the parts are there until they are dropped")
    }
}

impl<T: Send + 'static> Drop for DetachedDrop<T> {
    fn drop(&mut self) {
        let Some(parts) = self.parts.take().filter(|_| !ENDS.get()) else { return };
        let (sender, ended) = sync_channel::<()>(1);
        let work = move || {
            nobody_waits();
            drop(parts);
            drop(sender);
        };
        // Where the system has no more threads, the parts are dropped here.
        let started = Builder::new().name("end of a device".to_owned()).spawn(work);
        if started.is_ok() && ended.recv_timeout(LONGEST_END) == Err(RecvTimeoutError::Timeout) {
            warn(&still_works(&self.device));
        }
    }
}

/// Marks a thread that ends what it drops by itself.
pub(super) fn nobody_waits() {
    ENDS.set(true);
}

#[cold]
fn still_works(device: &str) -> String {
    let seconds = LONGEST_END.as_secs();
    format!(
        "{device} was dropped and its work did not end within {seconds} s: its memory and streams stay until it does; is the \
         device hung?"
    )
}
