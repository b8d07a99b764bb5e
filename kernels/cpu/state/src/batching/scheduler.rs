//! Forms batches of calls, and runs them on threads of its own.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use oplink::error::panic_message;
use oplink::prelude::*;

use super::call::Part;
use super::options::Options;

/// What is done with the parts of a batch: the outputs of each.
pub(super) type Process = fn(&FuncAttr, &Options, &[Part]) -> Result<Vec<Vec<Tensor>>>;

/// The batches of the nodes of one name. Their threads end with it.
pub(super) struct Scheduler(Arc<Shared>);

struct Shared {
    options: Options,
    /// The function that is called with batches; none of `Batch`.
    function: FuncAttr,
    process: Process,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The batches of each queue, the first ones first; calls enter the last.
    queues: BTreeMap<String, VecDeque<Batch>>,
    threads: usize,
    idle: usize,
    stopped: bool,
}

struct Batch {
    parts: Vec<Part>,
    rows: usize,
    opened: Instant,
}

impl Resource for Scheduler {
    fn type_name(&self) -> &'static str {
        "batch scheduler"
    }
}

impl Scheduler {
    pub(super) fn new(options: Options, function: FuncAttr, process: Process) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self(Arc::new(Shared { options, function, process, state, changed }))
    }

    /// Schedules a call of so many rows: `make` makes its parts, of which it gets the numbers of rows.
    ///
    /// # Errors
    /// The call has more rows than it may; there are too many batches; a thread cannot be started; those of `make`.
    pub(super) fn schedule(
        &self,
        queue: &str,
        rows: usize,
        make: impl FnOnce(&[usize]) -> Result<Vec<Part>>,
    ) -> Result<()> {
        let options = &self.0.options;
        options.check_rows(rows)?;
        let most = options.batch_rows();
        let mut state = self.0.state();
        self.start_thread(&mut state)?;
        let batches = state.queues.entry(queue.to_owned()).or_default();
        let waiting = batches.len();
        let free = batches.back().map_or(0, |open| most.saturating_sub(open.rows));
        let (sizes, has_room) = if options.splits {
            let free = if waiting == 0 { most } else { free };
            let new = options.most_batches.saturating_sub(waiting.max(1));
            (split(rows, free, most), rows <= most.saturating_mul(new).saturating_add(free))
        } else {
            (vec![rows], waiting == 0 || rows <= free || waiting < options.most_batches)
        };
        if !has_room {
            return Err(options.too_many(waiting));
        }
        for part in make(&sizes)? {
            match batches.back_mut().filter(|open| open.rows.saturating_add(part.rows) <= most) {
                Some(open) => {
                    open.rows += part.rows;
                    open.parts.push(part);
                }
                None => batches.push_back(Batch { rows: part.rows, parts: vec![part], opened: Instant::now() }),
            }
        }
        drop(state);
        self.0.changed.notify_all();
        Ok(())
    }

    /// Starts another thread where all have work and there may be more.
    fn start_thread(&self, state: &mut State) -> Result<()> {
        if state.idle > 0 || state.threads >= self.0.options.threads {
            return Ok(());
        }
        let shared = self.0.clone();
        let thread = std::thread::Builder::new().name("oplink-batches".to_owned());
        match thread.spawn(move || shared.work()) {
            Ok(_) => state.threads += 1,
            Err(error) if state.threads == 0 => {
                return Err(Error::resource_exhausted(format!("a thread for batches: {error}")));
            }
            Err(_) => {}
        }
        Ok(())
    }
}

/// The rows of the parts of a call: as many as are free in the open batch, then full batches, then the rest.
fn split(rows: usize, free: usize, most: usize) -> Vec<usize> {
    let (mut sizes, mut left) = (Vec::new(), rows);
    let mut room = if free > 0 { free } else { most };
    while left > room {
        sizes.push(room);
        left -= room;
        room = most;
    }
    sizes.push(left);
    sizes
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.stopped = true;
        let queues = std::mem::take(&mut state.queues);
        drop(state);
        self.0.changed.notify_all();
        let parts = queues.into_values().flatten().flat_map(|batch| batch.parts);
        parts.for_each(|part| part.call.finish(Err(gone())));
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does until the scheduler is gone.
    fn work(&self) {
        while let Some(parts) = self.next() {
            let parts: Vec<Part> = parts.into_iter().filter(|part| part.call.is_waited_for()).collect();
            if parts.is_empty() {
                continue;
            }
            let made = catch_unwind(AssertUnwindSafe(|| (self.process)(&self.function, &self.options, &parts)));
            match made.unwrap_or_else(|payload| Err(Error::internal(panic_message(&*payload)))) {
                Ok(outputs) => parts.into_iter().zip(outputs).for_each(|(part, outputs)| part.finish(outputs)),
                Err(error) => parts.iter().for_each(|part| part.call.finish(Err(error.clone()))),
            }
        }
    }

    /// The parts of the next batch to run.
    fn next(&self) -> Option<Vec<Part>> {
        let mut state = self.state();
        loop {
            if state.stopped {
                return None;
            }
            let now = Instant::now();
            if let Some(parts) = state.take_due(&self.options, now) {
                return Some(parts);
            }
            let timeout = self.options.timeout;
            let opened = state.queues.values().filter_map(|batches| batches.front().map(|batch| batch.opened)).min();
            state.idle += 1;
            state = match opened {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(opened) => {
                    let left = timeout.saturating_sub(now.saturating_duration_since(opened));
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
            state.idle -= 1;
        }
    }
}

impl State {
    /// Takes the batch that has waited longest of those that are due: full, or followed by another one, or open for
    /// long enough.
    fn take_due(&mut self, options: &Options, now: Instant) -> Option<Vec<Part>> {
        let is_over = |batch: &Batch| now.saturating_duration_since(batch.opened) >= options.timeout;
        let is_due = |batches: &VecDeque<Batch>| {
            let is_closed = batches.len() > 1;
            batches.front().is_some_and(|batch| is_closed || batch.rows >= options.batch_rows() || is_over(batch))
        };
        let due = self.queues.iter().filter(|(_, batches)| is_due(batches));
        let (name, _) = due.min_by_key(|(_, batches)| batches.front().map(|batch| batch.opened))?;
        let name = name.clone();
        let batches = self.queues.get_mut(&name)?;
        let mut batch = batches.pop_front()?;
        if options.pads_down && batches.is_empty() && batch.rows < options.batch_rows() {
            batches.extend(batch.trim(options, now));
        }
        if batches.is_empty() {
            self.queues.remove(&name);
        }
        Some(batch.parts)
    }
}

impl Batch {
    /// Takes out the last parts where the others have an allowed size exactly.
    fn trim(&mut self, options: &Options, now: Instant) -> Option<Self> {
        let wanted = options.size_below(self.rows)?;
        let (mut rows, mut count) = (0, 0);
        while rows < wanted {
            rows += self.parts.get(count)?.rows;
            count += 1;
        }
        if rows != wanted {
            return None;
        }
        let parts = self.parts.split_off(count);
        let rest = Self { rows: self.rows - wanted, parts, opened: now };
        self.rows = wanted;
        Some(rest)
    }
}

/// The error of calls that wait when the scheduler ends.
#[cold]
fn gone() -> Error {
    Error::new(Code::Cancelled, ErrorKind::Cancelled, "the batches of this node are gone: its container was cleared")
}
