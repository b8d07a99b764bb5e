//! What ends calls early, and tells callbacks of it.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use oplink_api::{Cancellation, Code, Error, ErrorKind};

type Callback = Box<dyn FnOnce() + Send>;

/// Ends the calls that were made with its [`CancellationManager::cancellation`]. Dropping it ends them too.
#[derive(Default)]
pub struct CancellationManager {
    cancellation: Cancellation,
    state: Mutex<State>,
    cancelled: Condvar,
}

#[derive(Default)]
struct State {
    next_token: i64,
    callbacks: BTreeMap<i64, Callback>,
    phase: Phase,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Active,
    /// Callbacks run.
    Cancelling,
    Cancelled,
}

impl CancellationManager {
    /// What calls look at.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// A name for a callback, another one at each call.
    pub fn token(&self) -> i64 {
        let mut state = self.state();
        let token = state.next_token;
        state.next_token = token.wrapping_add(1);
        token
    }

    /// Whether calls were ended, and all callbacks have run.
    pub fn is_cancelled(&self) -> bool {
        self.state().phase == Phase::Cancelled
    }

    /// Whether callbacks run now.
    pub fn is_cancelling(&self) -> bool {
        self.state().phase == Phase::Cancelling
    }

    /// Registers a callback in place of the token's former one. False, and the callback is dropped, where it is too
    /// late for it.
    pub fn register(&self, token: i64, callback: impl FnOnce() + Send + 'static) -> bool {
        let mut state = self.state();
        let is_active = state.phase == Phase::Active;
        if is_active {
            state.callbacks.insert(token, Box::new(callback));
        }
        is_active
    }

    /// Takes a callback back. False where calls were ended: the callback ran, which is waited for.
    pub fn deregister(&self, token: i64) -> bool {
        let state = self.state();
        let still = |state: &mut State| state.phase == Phase::Cancelling;
        let mut state = self.cancelled.wait_while(state, still).unwrap_or_else(PoisonError::into_inner);
        Self::take_back(&mut state, token)
    }

    /// As [`CancellationManager::deregister`], without waiting.
    pub fn try_deregister(&self, token: i64) -> bool {
        Self::take_back(&mut self.state(), token)
    }

    fn take_back(state: &mut State, token: i64) -> bool {
        let is_active = state.phase == Phase::Active;
        if is_active {
            drop(state.callbacks.remove(&token));
        }
        is_active
    }

    /// Ends the calls and runs the callbacks; the first time only.
    pub fn cancel(&self) {
        let callbacks = {
            let mut state = self.state();
            if state.phase != Phase::Active {
                return;
            }
            state.phase = Phase::Cancelling;
            std::mem::take(&mut state.callbacks)
        };
        self.cancellation.cancel(Error::new(Code::Cancelled, ErrorKind::Cancelled, "the call was cancelled"));
        callbacks.into_values().for_each(|callback| callback());
        self.state().phase = Phase::Cancelled;
        self.cancelled.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CancellationManager {
    fn drop(&mut self) {
        self.cancel();
    }
}
