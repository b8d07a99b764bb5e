//! Timers: the time between two marks in a stream.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use oplink_abi::SP_Timer;
use oplink_api::Result;

use super::{Executor, Stream, call};

/// A timer, ended when dropped.
pub(crate) struct Timer {
    executor: Arc<Executor>,
    handle: SP_Timer,
}

impl Timer {
    /// # Errors
    /// The plugin has no timers, or cannot make one.
    pub(crate) fn new(executor: &Arc<Executor>) -> Result<Self> {
        if executor.platform().timer_fns().is_none() {
            return Err(executor.absent("create_timer_fns"));
        }
        let mut handle: SP_Timer = ptr::null_mut();
        call!(executor, create_timer(&raw mut handle))?;
        Ok(Self { executor: executor.clone(), handle })
    }

    pub(crate) fn start(&self, stream: &Stream) -> Result<()> {
        call!(&self.executor, start_timer(stream.as_ptr(), self.handle))
    }

    pub(crate) fn stop(&self, stream: &Stream) -> Result<()> {
        call!(&self.executor, stop_timer(stream.as_ptr(), self.handle))
    }

    /// From start to stop; both have passed.
    pub(crate) fn elapsed(&self) -> Result<Duration> {
        let Some(nanoseconds) = self.executor.platform().timer_fns().and_then(|fns| fns.nanoseconds) else {
            return Err(self.executor.absent("nanoseconds"));
        };
        // SAFETY: the platform was checked to have the function; the timer is the plugin's and not ended yet.
        Ok(Duration::from_nanos(unsafe { nanoseconds(self.handle) }))
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(destroy) = self.executor.functions().and_then(|functions| functions.destroy_timer) {
            // SAFETY: the folder's contract; ended once.
            unsafe { destroy(self.executor.as_ptr(), self.handle) }
        }
    }
}
