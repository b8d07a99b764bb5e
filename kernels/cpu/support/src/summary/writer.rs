//! What takes summaries: events in a log, behind a handle.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use oplink::prelude::*;

use crate::wire::Message;

/// The field of an event with a summary.
pub const SUMMARY: u32 = 5;

/// What events are appended to.
pub trait EventLog: Send {
    /// Adds an event, which stays in memory at first.
    ///
    /// # Errors
    /// It cannot be written.
    fn write(&mut self, event: &[u8]) -> Result<()>;

    /// Writes what is still in memory.
    ///
    /// # Errors
    /// It cannot be written.
    fn flush(&mut self) -> Result<()>;
}

/// A writer of events.
pub struct SummaryWriter {
    max_queue: usize,
    flush_after: Duration,
    state: Mutex<State>,
}

struct State {
    log: Box<dyn EventLog>,
    queue: Vec<Vec<u8>>,
    flushed: Instant,
}

impl State {
    fn flush(&mut self) -> Result<()> {
        self.flushed = Instant::now();
        for event in std::mem::take(&mut self.queue) {
            self.log.write(&event)?;
        }
        self.log.flush()
    }
}

impl SummaryWriter {
    /// A writer to a log, which lets so many events wait, for so many milliseconds.
    pub fn new(log: Box<dyn EventLog>, max_queue: i32, flush_millis: i32) -> Self {
        let state = State { log, queue: Vec::new(), flushed: Instant::now() };
        let flush_after = Duration::from_millis(u64::try_from(flush_millis).unwrap_or(0));
        Self { max_queue: usize::try_from(max_queue).unwrap_or(0), flush_after, state: Mutex::new(state) }
    }

    /// Adds an event; writes those that wait where there are too many of them, or for too long.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn add(&self, event: Message) -> Result<()> {
        let mut state = self.state();
        state.queue.push(event.into_bytes());
        match state.queue.len() > self.max_queue || state.flushed.elapsed() > self.flush_after {
            true => state.flush(),
            false => Ok(()),
        }
    }

    /// Adds an event of now with a message in a field.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_now(&self, step: i64, field: u32, message: Message) -> Result<()> {
        let event = Message::default().double_unless_zero(1, wall_time()).integer_unless_zero(2, step as u64);
        self.add(event.bytes(field, &message.into_bytes()))
    }

    /// Writes the events that wait.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn flush(&self) -> Result<()> {
        self.state().flush()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SummaryWriter {
    /// Nobody is there any more to hear of an error.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

impl Resource for SummaryWriter {
    fn type_name(&self) -> &'static str {
        "summary writer"
    }
}

/// Seconds since 1970.
fn wall_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}
