//! Events: marks in a stream.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::ptr;
use std::sync::Arc;

use oplink_abi::{SP_Event, event_status};
use oplink_api::{Code, Result};

use super::{Executor, Stream, call};

/// How far the work before an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Pending,
    Complete,
    Failed,
}

/// An event, ended when dropped.
pub(crate) struct Event {
    executor: Arc<Executor>,
    handle: SP_Event,
}

// SAFETY: the folder's contract: plugins take calls from any thread.
unsafe impl Send for Event {}
// SAFETY: a shared handle is only passed to the plugin, which takes calls from any thread.
unsafe impl Sync for Event {}

impl Event {
    pub(crate) fn new(executor: &Arc<Executor>) -> Result<Self> {
        let mut handle: SP_Event = ptr::null_mut();
        call!(executor, create_event(&raw mut handle))?;
        Ok(Self { executor: executor.clone(), handle })
    }

    pub(super) fn as_ptr(&self) -> SP_Event {
        self.handle
    }

    /// Puts the event at the end of a stream.
    pub(crate) fn record(&self, stream: &Stream) -> Result<()> {
        call!(&self.executor, record_event(stream.as_ptr(), self.handle))
    }

    /// Asks without waiting. A status that is none of the known ones is a failure.
    pub(crate) fn progress(&self) -> Progress {
        let Some(function) = self.executor.functions().and_then(|functions| functions.get_event_status) else {
            return Progress::Failed;
        };
        // SAFETY: the platform was checked to have the function; the device and the event are the plugin's and not
        // ended yet.
        match unsafe { function(self.executor.as_ptr(), self.handle) } {
            event_status::PENDING => Progress::Pending,
            event_status::COMPLETE => Progress::Complete,
            _ => Progress::Failed,
        }
    }

    /// Waits for the event.
    ///
    /// # Errors
    /// The plugin's; the work before the event failed.
    pub(crate) fn wait(&self) -> Result<()> {
        call!(&self.executor, block_host_for_event(self.handle))?;
        match self.progress() {
            Progress::Failed => Err(self.executor.error(Code::Internal, "the work before an event failed")),
            Progress::Pending | Progress::Complete => Ok(()),
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Some(destroy) = self.executor.functions().and_then(|functions| functions.destroy_event) {
            // SAFETY: the folder's contract; ended once.
            unsafe { destroy(self.executor.as_ptr(), self.handle) }
        }
    }
}
