//! Events and timers.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oplink::device::EventStatus;
use oplink::{Error, Result};

use crate::counters::{Counters, subtract};
use crate::stream::{Stream, too_long};

/// A mark in a stream.
pub(crate) struct Event {
    shared: Arc<Shared>,
    timeout: Duration,
    counters: &'static Counters,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    moved: Condvar,
}

/// The last recording, by its number.
#[derive(Default)]
struct State {
    recorded: u64,
    reached: u64,
    error: Option<Error>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a recording, as long as it takes or for a time. An error is one of the work before it.
    fn wait(&self, number: u64, timeout: Duration) -> Result<()> {
        let (mut state, until) = (self.state(), Instant::now() + timeout);
        while state.reached < number {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(too_long("an event", timeout));
            }
            state = self.moved.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.error.clone().map_or(Ok(()), Err)
    }
}

impl Event {
    pub(crate) fn new(timeout: Duration, counters: &'static Counters) -> Self {
        Self { shared: Arc::default(), timeout, counters }
    }

    /// Puts it behind what the stream was given.
    pub(crate) fn record(&self, stream: &Stream) -> Result<()> {
        let number = {
            let mut state = self.shared.state();
            state.recorded += 1;
            state.recorded
        };
        let (shared, progress) = (self.shared.clone(), stream.progress.clone());
        stream.put(move || {
            let mut state = shared.state();
            (state.reached, state.error) = (number.max(state.reached), progress.error());
            shared.moved.notify_all();
            Ok(())
        })
    }

    /// Makes a stream wait for the last recording. The error of the work before it becomes one of the stream.
    pub(crate) fn hold_back(&self, stream: &Stream) -> Result<()> {
        let (shared, number, timeout) = (self.shared.clone(), self.shared.state().recorded, self.timeout);
        stream.put(move || shared.wait(number, timeout))
    }

    /// Waits for the last recording.
    pub(crate) fn wait(&self) -> Result<()> {
        let number = self.shared.state().recorded;
        self.shared.wait(number, self.timeout)
    }

    pub(crate) fn status(&self) -> EventStatus {
        let state = self.shared.state();
        match &state.error {
            _ if state.reached < state.recorded => EventStatus::Pending,
            Some(_) => EventStatus::Error,
            None => EventStatus::Complete,
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        subtract(&self.counters.events_live);
    }
}

/// Times between two points of a stream.
pub(crate) struct Timer {
    times: Arc<Mutex<(Option<Instant>, Option<Instant>)>>,
    counters: &'static Counters,
}

impl Timer {
    pub(crate) fn new(counters: &'static Counters) -> Self {
        Self { times: Arc::default(), counters }
    }

    pub(crate) fn start(&self, stream: &Stream) -> Result<()> {
        let times = self.times.clone();
        stream.put(move || {
            *times.lock().unwrap_or_else(PoisonError::into_inner) = (Some(Instant::now()), None);
            Ok(())
        })
    }

    pub(crate) fn stop(&self, stream: &Stream) -> Result<()> {
        let times = self.times.clone();
        stream.put(move || {
            times.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(Instant::now());
            Ok(())
        })
    }

    pub(crate) fn nanoseconds(&self) -> u64 {
        match *self.times.lock().unwrap_or_else(PoisonError::into_inner) {
            (Some(start), Some(stop)) => stop.duration_since(start).as_nanos() as u64,
            _ => 0,
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        subtract(&self.counters.timers_live);
    }
}
