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

/// Time between two looks at the step of a run that waits.
const LOOK: Duration = Duration::from_millis(20);
/// Elements that are made ahead at most, whatever a node asks for.
const MOST_AHEAD: usize = 4096;
/// Threads of one iterator at most.
const MOST_THREADS: usize = 64;

/// A function from elements to elements.
pub(crate) trait ElementFunction: Send + Sync {
    /// What it makes of an element; `None` where it ends the dataset.
    ///
    /// # Errors
    /// It cannot be made.
    fn apply(&self, run: &Run<'_>, element: Element) -> Result<Option<Element>>;
}

/// The elements of a dataset, or what a function makes of them, made ahead by threads from the first call on.
pub(crate) struct Ahead {
    shared: Arc<Shared>,
    limit: usize,
    threads: usize,
    started: bool,
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
        Self { shared, limit: limit.min(MOST_AHEAD), threads: threads.min(MOST_THREADS), started: false }
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
        for _ in 0..self.threads {
            let (shared, limit, step, env) = (self.shared.clone(), self.limit as u64, step.clone(), env.clone());
            let thread = std::thread::Builder::new().name("oplink-dataset".to_owned());
            let spawned = thread.spawn(move || shared.work(limit, &step, &*env));
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
            return self.shared.make_at_once(run);
        }
        let mut state = self.shared.state();
        loop {
            let number = state.next_out;
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
        self.apply(run, element)
    }

    fn apply(&self, run: &Run<'_>, element: Option<Element>) -> Result<Option<Element>> {
        match (&self.function, element) {
            (Some(function), Some(element)) => function.apply(run, element),
            (_, element) => Ok(element),
        }
    }

    /// What a thread does until the iterator is gone or the dataset at its end.
    fn work(&self, limit: u64, step: &DetachedStep, env: &dyn KernelEnv) {
        while let Some((number, input)) = self.take(limit) {
            let mut given_back = false;
            let made = catch_unwind(AssertUnwindSafe(|| self.make(step, env, input, &mut given_back)));
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
        step: &DetachedStep,
        env: &dyn KernelEnv,
        mut input: Elements,
        given_back: &mut bool,
    ) -> Result<Option<Element>> {
        let step = step.begin()?;
        let run = Run { step: &step, env };
        let element = input.next(&run);
        let mut state = self.state();
        state.at_end |= matches!(element, Ok(None));
        state.input = Some(input);
        *given_back = true;
        drop(state);
        self.changed.notify_all();
        self.apply(&run, element?)
    }
}
