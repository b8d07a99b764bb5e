//! Elements that threads make ahead of those who ask for them, in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oplink::error::panic_message;
use oplink::prelude::*;
use oplink::{Cancellation, DetachedStep, KernelEnv};

use crate::dataset::{DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};
use crate::statistics::Statistics;

/// Time between two looks at the step of a run that waits.
const LOOK: Duration = Duration::from_millis(20);
/// Elements that are made ahead at most, whatever a node asks for.
const MOST_AHEAD: usize = 4096;
/// Threads of one iterator at most.
const MOST_THREADS: usize = 64;

/// A function from elements to elements.
pub(crate) trait ElementFunction: Send + Sync {
    /// What it makes of an element, the one with this number from 0 on; `None` where it ends the dataset.
    ///
    /// # Errors
    /// It cannot be made.
    fn apply(&self, run: &Run<'_>, element: Element, number: u64) -> Result<Option<Element>>;
}

/// The elements of a dataset, or what a function makes of them, made ahead by threads from the first call on.
pub(crate) struct Ahead {
    shared: Arc<Shared>,
    limit: usize,
    threads: usize,
    started: bool,
    /// The tags of statistics on what is ready, where they are recorded.
    buffer: Option<Arc<BufferTags>>,
}

/// The tags of what is recorded of a buffer.
pub(crate) struct BufferTags {
    utilization: Vec<u8>,
    size: Vec<u8>,
    capacity: Vec<u8>,
}

impl BufferTags {
    /// Those of a node.
    pub(crate) fn new(node: &str) -> Self {
        let tag = |what: &str| format!("{node}::buffer_{what}").into_bytes();
        Self { utilization: tag("utilization"), size: tag("size"), capacity: tag("capacity") }
    }
}

struct Shared {
    function: Option<Arc<dyn ElementFunction>>,
    state: Mutex<State>,
    changed: Condvar,
    /// Ends the steps of the threads.
    cancellation: Cancellation,
}

struct State {
    /// `None` while somebody reads.
    input: Option<Elements>,
    /// What was made, by number.
    made: BTreeMap<u64, Result<Option<Element>>>,
    /// Number of the element that is read next.
    next_in: u64,
    /// Number of the element that is given next.
    next_out: u64,
    /// Elements that threads work on.
    under_way: usize,
    at_end: bool,
    paused: bool,
    stopped: bool,
}

/// What a thread works in, as the run that started it.
#[derive(Clone)]
struct Worker {
    step: DetachedStep,
    env: Arc<dyn KernelEnv>,
    by_iterator: bool,
    statistics: Option<Arc<Statistics>>,
}

impl Ahead {
    /// At most `limit` elements of `input` ahead, by so many threads; by none where either is 0.
    pub(crate) fn new(
        input: Elements,
        function: Option<Arc<dyn ElementFunction>>,
        limit: usize,
        threads: usize,
    ) -> Self {
        let state = State {
            input: Some(input),
            made: BTreeMap::new(),
            next_in: 0,
            next_out: 0,
            under_way: 0,
            at_end: false,
            paused: false,
            stopped: false,
        };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        let shared = Arc::new(Shared { function, state, changed, cancellation: Cancellation::default() });
        let (limit, threads) = (limit.min(MOST_AHEAD), threads.min(MOST_THREADS));
        Self { shared, limit, threads, started: false, buffer: None }
    }

    /// The same, which records how many elements are ready when one is given.
    pub(crate) fn with_statistics(mut self, tags: Arc<BufferTags>) -> Self {
        self.buffer = Some(tags);
        self
    }

    /// Records how many elements are ready, before one of them is given.
    fn record(&self, run: &Run<'_>, state: &State) -> Result<()> {
        let (Some(statistics), Some(tags)) = (run.statistics, &self.buffer) else { return Ok(()) };
        let ready = state.made.values().filter(|made| !matches!(made, Ok(None))).count() as f32;
        let (capacity, given) = (self.limit as f32, state.next_out);
        if self.limit > 0 {
            statistics.add(&tags.utilization, f64::from(ready / capacity), given)?;
        }
        statistics.set(&tags.size, ready, given)?;
        statistics.set(&tags.capacity, capacity, given)
    }

    /// Starts the threads, or finds that there can be none.
    fn start(&mut self, run: &Run<'_>) -> Result<()> {
        self.started = true;
        let env = run.env.detach().filter(|_| self.limit > 0);
        let Some(env) = env else {
            self.threads = 0;
            return Ok(());
        };
        let step = run.step.detach(self.shared.cancellation.clone());
        let (by_iterator, statistics) = (run.by_iterator, run.statistics.cloned());
        let worker = Worker { step, env, by_iterator, statistics };
        for _ in 0..self.threads {
            let (shared, limit, worker) = (self.shared.clone(), self.limit as u64, worker.clone());
            let thread = std::thread::Builder::new().name("oplink-dataset".to_owned());
            let spawned = thread.spawn(move || shared.work(limit, &worker));
            spawned.map_err(|error| Error::resource_exhausted(format!("a thread for a dataset: {error}")))?;
        }
        Ok(())
    }
}

impl DatasetIterator for Ahead {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if !self.started {
            self.start(run)?;
        }
        if self.threads == 0 {
            self.record(run, &self.shared.state())?;
            return self.shared.make_at_once(run);
        }
        let mut state = self.shared.state();
        loop {
            let number = state.next_out;
            if state.made.get(&number).is_some_and(|made| !matches!(made, Ok(None))) {
                self.record(run, &state)?;
            }
            if let Some(made) = state.made.remove(&number) {
                state.next_out += 1;
                drop(state);
                self.shared.changed.notify_all();
                return made;
            }
            if state.at_end && number == state.next_in {
                return Ok(None);
            }
            run.check()?;
            state = self.shared.wait(state);
        }
    }

    /// Writes what was made and not given, and the position of the input.
    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        let mut state = self.shared.state();
        state.paused = true;
        while state.under_way > 0 {
            if let Err(error) = run.check() {
                state.paused = false;
                return Err(error);
            }
            state = self.shared.wait(state);
        }
        let elements: Vec<Element> = state.made.values().filter_map(|made| made.clone().ok().flatten()).collect();
        to.put_elements(elements.iter());
        let saved = to.put_optional(run, state.input.as_mut());
        state.paused = false;
        drop(state);
        self.shared.changed.notify_all();
        saved
    }

    /// Goes on from a position.
    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        let elements: Vec<Element> = from.elements()?;
        let mut state = self.shared.state();
        state.next_in = elements.len() as u64;
        state.made = (0..).zip(elements.into_iter().map(|element| Ok(Some(element)))).collect();
        match (from.flag()?, &mut state.input) {
            (true, Some(input)) => input.restore(run, from),
            _ => {
                (state.input, state.at_end) = (None, true);
                Ok(())
            }
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.shared.state().stopped = true;
        let reason = Error::new(Code::Cancelled, ErrorKind::Cancelled, "the iterator is gone");
        self.shared.cancellation.cancel(reason);
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0
    }

    /// The next element, made by the caller.
    fn make_at_once(&self, run: &Run<'_>) -> Result<Option<Element>> {
        let mut state = self.state();
        if let Some((_, made)) = state.made.pop_first() {
            return made;
        }
        let Some(input) = &mut state.input else { return Ok(None) };
        let element = input.next(run)?;
        state.next_out += 1;
        self.apply(run, element, state.next_out - 1)
    }

    fn apply(&self, run: &Run<'_>, element: Option<Element>, number: u64) -> Result<Option<Element>> {
        match (&self.function, element) {
            (Some(function), Some(element)) => function.apply(run, element, number),
            (_, element) => Ok(element),
        }
    }

    /// What a thread does until the iterator is gone or the dataset at its end.
    fn work(&self, limit: u64, worker: &Worker) {
        while let Some((number, input)) = self.take(limit) {
            let mut given_back = false;
            let made = catch_unwind(AssertUnwindSafe(|| self.make(worker, (number, input), &mut given_back)));
            let made = made.unwrap_or_else(|payload| Err(Error::internal(panic_message(&*payload))));
            let mut state = self.state();
            if !given_back {
                state.at_end = true;
            }
            state.under_way -= 1;
            state.made.insert(number, made);
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The input, and the number of the element to be read from it; `None` when there is nothing more to do.
    fn take(&self, limit: u64) -> Option<(u64, Elements)> {
        let mut state = self.state();
        loop {
            if state.stopped || state.at_end {
                return None;
            }
            let free = !state.paused && state.next_in - state.next_out < limit;
            if let Some(input) = free.then(|| state.input.take()).flatten() {
                state.next_in += 1;
                state.under_way += 1;
                return Some((state.next_in - 1, input));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Reads an element, gives the input back, and applies the function.
    fn make(
        &self,
        worker: &Worker,
        (number, mut input): (u64, Elements),
        given_back: &mut bool,
    ) -> Result<Option<Element>> {
        let step = worker.step.begin()?;
        let (by_iterator, statistics) = (worker.by_iterator, worker.statistics.as_ref());
        let run = Run { step: &step, env: &*worker.env, by_iterator, statistics };
        let element = input.next(&run);
        let mut state = self.state();
        state.at_end |= matches!(element, Ok(None));
        state.input = Some(input);
        *given_back = true;
        drop(state);
        self.changed.notify_all();
        self.apply(&run, element?, number)
    }
}
