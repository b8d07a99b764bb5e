//! The streams of a device: one for compute work, one for copies in each direction.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use oplink_api::log::warn;
use oplink_api::{Code, Error, Result};

use crate::executor::{Executor, Stream};

/// The streams, and the device that they are of. Dropping them waits for all their work first.
pub(crate) struct StreamGroup {
    pub(crate) compute: Stream,
    pub(crate) to_device: Stream,
    pub(crate) to_host: Stream,
    pub(crate) executor: Arc<Executor>,
    is_hung: AtomicBool,
}

impl StreamGroup {
    pub(crate) fn new(executor: Arc<Executor>) -> Result<Arc<Self>> {
        let compute = Stream::new(&executor, "compute")?;
        let to_device = Stream::new(&executor, "host-to-device")?;
        let to_host = Stream::new(&executor, "device-to-host")?;
        Ok(Arc::new(Self { compute, to_device, to_host, executor, is_hung: AtomicBool::new(false) }))
    }

    pub(crate) fn each(&self) -> [&Stream; 3] {
        [&self.to_device, &self.compute, &self.to_host]
    }

    /// Waits for all work of the device, before it ends. False where a stream hangs: then work may use for ever what it
    /// was given, and so the streams and the device stay too.
    pub(crate) fn wait_until_idle(self: &Arc<Self>) -> bool {
        if self.is_hung.load(Relaxed) {
            return false;
        }
        // Nobody is left who could be told of another failure: the work has ended.
        let hangs = |error: &Error| error.code() == Code::DeadlineExceeded;
        let Some(error) = self.executor.synchronize_all_activity().err().filter(hangs) else { return true };
        if !self.is_hung.swap(true, Relaxed) {
            std::mem::forget(self.clone());
            warn(&format!(
                "{} was dropped and its work did not end: its memory and streams stay: {error}",
                self.executor.name()
            ));
        }
        false
    }
}

impl Drop for StreamGroup {
    fn drop(&mut self) {
        // The device ends; nobody is left who could be told of a failure.
        let _ = self.executor.synchronize_all_activity();
    }
}
