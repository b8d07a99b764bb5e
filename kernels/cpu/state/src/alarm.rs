//! Work that is done at a time, by one thread for all of the process.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oplink::prelude::*;

type Work = Box<dyn FnOnce() + Send>;

/// Work that is still to be done; dropping it takes the work back.
#[must_use = "the work is taken back when this is dropped"]
pub(crate) struct Alarm((Instant, u64));

static CLOCK: Clock =
    Clock { state: Mutex::new(State { next: 0, runs: false, due: BTreeMap::new() }), changed: Condvar::new() };

/// What is to be done, by time. Its thread runs as long as there is something.
struct Clock {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    next: u64,
    runs: bool,
    due: BTreeMap<(Instant, u64), Work>,
}

impl Alarm {
    /// Does `work` after a time. It must not block.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(crate) fn after(time: Duration, work: impl FnOnce() + Send + 'static) -> Result<Self> {
        let at = Instant::now().checked_add(time.min(LONGEST)).unwrap_or_else(Instant::now);
        let mut state = CLOCK.state();
        let key = (at, state.next);
        state.next += 1;
        if !state.runs {
            let thread = std::thread::Builder::new().name("oplink-alarms".to_owned());
            let spawned = thread.spawn(|| CLOCK.run());
            spawned.map_err(|error| Error::resource_exhausted(format!("a thread that watches the time: {error}")))?;
            state.runs = true;
        }
        state.due.insert(key, Box::new(work));
        drop(state);
        CLOCK.changed.notify_all();
        Ok(Self(key))
    }
}

/// Times beyond this one are not told apart.
const LONGEST: Duration = Duration::from_secs(1 << 30);

impl Drop for Alarm {
    fn drop(&mut self) {
        let work = CLOCK.state().due.remove(&self.0);
        drop(work);
        CLOCK.changed.notify_all();
    }
}

impl Clock {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut state = self.state();
        while let Some(entry) = state.due.first_entry() {
            let left = entry.key().0.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let work = entry.remove();
                drop(state);
                // A panic of one is not the end of the others.
                let _ = catch_unwind(AssertUnwindSafe(work));
                state = self.state();
            } else {
                state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        state.runs = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn work_is_done_in_the_order_of_its_times_unless_it_is_taken_back() {
        let (sender, receiver) = channel();
        let send = |number: u64| {
            let sender = sender.clone();
            Alarm::after(Duration::from_millis(20 * number), move || sender.send(number).unwrap()).unwrap()
        };
        let (_late, taken_back, _soon) = (send(3), send(2), send(1));
        drop(taken_back);
        let wait = || receiver.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!((wait(), wait()), (1, 3));
    }
}
