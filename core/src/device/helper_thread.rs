//! The thread of a device that hands out what has arrived.

use std::thread::{Builder, JoinHandle, ThreadId, current};

use super::detached_drop::nobody_waits;

/// A thread that works for its owner until the owner tells it to end. Whoever drops it waits for its end, unless that
/// is the thread itself.
pub struct HelperThread {
    id: ThreadId,
    handle: Option<JoinHandle<()>>,
}

impl HelperThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no more threads.
    pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<Self> {
        let handle = Builder::new().name(name.to_owned()).spawn(move || {
            nobody_waits();
            work();
        })?;
        Ok(Self { id: handle.thread().id(), handle: Some(handle) })
    }

    /// Which thread it is.
    pub fn id(&self) -> ThreadId {
        self.id
    }

    /// Whether the caller runs in it.
    pub fn is_current(&self) -> bool {
        self.id == current().id()
    }
}

impl Drop for HelperThread {
    fn drop(&mut self) {
        let is_current = self.is_current();
        // The last reference to its owner may be dropped by what the thread calls; then it ends by itself.
        if let Some(handle) = self.handle.take().filter(|_| !is_current) {
            let _ = handle.join();
        }
    }
}
