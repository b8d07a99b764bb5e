//! Streams: queues of a device's work, each done in order.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_abi::{SE_StatusCallbackFn, SP_Stream};
use oplink_api::{Error, Result};

use super::{Event, Executor, call};

/// A stream, ended when dropped.
pub(crate) struct Stream {
    executor: Arc<Executor>,
    handle: SP_Stream,
    /// What the stream does, for messages.
    role: &'static str,
    /// The failure that was told last.
    told: Mutex<Option<String>>,
}

// SAFETY: the folder's contract: plugins take calls from any thread.
unsafe impl Send for Stream {}
// SAFETY: a shared handle is only passed to the plugin, which takes calls from any thread; what was told is locked.
unsafe impl Sync for Stream {}

impl Stream {
    pub(crate) fn new(executor: &Arc<Executor>, role: &'static str) -> Result<Self> {
        let mut handle: SP_Stream = ptr::null_mut();
        call!(executor, create_stream(&raw mut handle))?;
        Ok(Self { executor: executor.clone(), handle, role, told: Mutex::default() })
    }

    pub(crate) fn as_ptr(&self) -> SP_Stream {
        self.handle
    }

    /// Lets later work of this stream begin when `other` has done what it was given so far.
    pub(crate) fn wait_for_stream(&self, other: &Self) -> Result<()> {
        call!(&self.executor, create_stream_dependency(self.handle, other.handle))
    }

    /// Lets later work of this stream begin when the event has passed.
    pub(crate) fn wait_for_event(&self, event: &Event) -> Result<()> {
        call!(&self.executor, wait_for_event(self.handle, event.as_ptr()))
    }

    /// Has `callback` called with `argument` when the stream has done what it was given so far; false where the plugin
    /// does not do that.
    ///
    /// # Safety
    /// The callback may be called with the argument at any later time, on any thread.
    pub(crate) unsafe fn call_back(&self, callback: SE_StatusCallbackFn, argument: *mut c_void) -> bool {
        let Some(function) = self.executor.functions().and_then(|functions| functions.host_callback) else {
            return false;
        };
        // SAFETY: the folder's contract, and the caller's.
        unsafe { function(self.executor.as_ptr(), self.handle, callback, argument) != 0 }
    }

    /// Waits until the stream has done what it was given so far.
    pub(crate) fn wait(&self) -> Result<()> {
        let has = self.executor.functions().is_some_and(|functions| functions.block_host_until_done.is_some());
        if has {
            return call!(&self.executor, block_host_until_done(self.handle));
        }
        let event = Event::new(&self.executor)?;
        event.record(self)?;
        event.wait()
    }

    /// The failure of the stream's work, where it is another than the one told before.
    pub(crate) fn new_failure(&self) -> Option<Error> {
        let status = call!(&self.executor, get_stream_status(self.handle));
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let Err(error) = status else {
            *told = None;
            return None;
        };
        if told.as_deref() == Some(error.message()) {
            return None;
        }
        *told = Some(error.message().to_owned());
        Some(error.context(format!("in the {} stream", self.role)))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(destroy) = self.executor.functions().and_then(|functions| functions.destroy_stream) {
            // SAFETY: the folder's contract; ended once.
            unsafe { destroy(self.executor.as_ptr(), self.handle) }
        }
    }
}
