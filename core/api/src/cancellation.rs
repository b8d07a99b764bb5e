//! Stopping a step early: by request, by a failed node, or by its deadline.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::{Code, Error, ErrorKind, Result};

/// A request to stop, shared by everything that works on a step. Clones are one and the same.
#[derive(Clone, Default)]
pub struct Cancellation(Arc<Inner>);

#[derive(Default)]
struct Inner {
    cancelled: AtomicBool,
    deadline: Option<Instant>,
    next_id: AtomicU64,
    state: Mutex<State>,
}

type Callback = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    reason: Option<Error>,
    callbacks: Vec<(u64, Callback)>,
}

/// Keeps a callback registered; dropping it takes the callback back.
#[must_use = "the callback is taken back when this is dropped"]
pub struct CancellationCallback {
    cancellation: Cancellation,
    id: u64,
}

impl Cancellation {
    /// One that ends by itself at `deadline`.
    pub fn with_deadline(deadline: Option<Instant>) -> Self {
        Self(Arc::new(Inner { deadline, ..Inner::default() }))
    }

    /// When the step must end.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
    }

    /// Asks everybody to stop. The first reason stays.
    pub fn cancel(&self, reason: Error) {
        let callbacks = {
            let mut state = self.state();
            if state.reason.is_some() {
                return;
            }
            state.reason = Some(reason);
            self.0.cancelled.store(true, Ordering::Release);
            std::mem::take(&mut state.callbacks)
        };
        callbacks.into_iter().for_each(|(_, callback)| callback());
    }

    /// Whether to stop; passes the deadline on.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire) || self.0.deadline.is_some_and(|deadline| self.expire(deadline))
    }

    /// An error once the step is to stop: the reason.
    ///
    /// # Errors
    /// The step was cancelled, or its deadline is over.
    #[inline]
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(self.reason()) } else { Ok(()) }
    }

    /// Why the step stops; `Cancelled` where nobody said.
    #[cold]
    pub fn reason(&self) -> Error {
        self.state().reason.clone().unwrap_or_else(|| cancelled("the step was cancelled"))
    }

    /// Calls `callback` when the step is cancelled, at once where it is already. It must not block.
    pub fn on_cancel(&self, callback: impl FnOnce() + Send + 'static) -> CancellationCallback {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        let mut state = self.state();
        if state.reason.is_some() {
            drop(state);
            callback();
        } else {
            state.callbacks.push((id, Box::new(callback)));
        }
        CancellationCallback { cancellation: self.clone(), id }
    }

    fn expire(&self, deadline: Instant) -> bool {
        let over = Instant::now() >= deadline;
        if over {
            let message = "the step did not end before its deadline; give it more time or find what it waits for";
            self.cancel(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, message));
        }
        over
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of a cancelled step.
#[cold]
pub(crate) fn cancelled(message: &str) -> Error {
    Error::new(Code::Cancelled, ErrorKind::Cancelled, message)
}

impl Drop for CancellationCallback {
    fn drop(&mut self) {
        let mut state = self.cancellation.state();
        let found = state.callbacks.iter().position(|(id, _)| *id == self.id);
        let callback = found.map(|at| state.callbacks.swap_remove(at));
        drop(state);
        drop(callback);
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cancellation(cancelled: {}, deadline: {:?})", self.is_cancelled(), self.0.deadline)
    }
}

impl fmt::Debug for CancellationCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CancellationCallback({})", self.id)
    }
}
