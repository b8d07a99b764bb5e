//! A value that runs share, and wait for: staging areas, accumulators, barriers, mutexes, values on their way.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use oplink::prelude::*;
use oplink::{AsyncKernelContext, Cancellation, CancellationCallback};

use crate::alarm::Alarm;

/// What a run tries on the value: its outputs or its error once it is over, `None` as long as it has to wait. Whatever
/// it changes of the value it changes when it is over.
pub(crate) type Attempt<S> = Box<dyn FnMut(&mut S) -> Option<Result<Vec<Tensor>>> + Send>;

/// A value and the runs that wait for it to change. Clones are one and the same.
///
/// Runs that wait are tried in the order in which they came, whenever the value may have changed. A run whose step is
/// cancelled ends with the step's error.
pub(crate) struct Monitor<S>(Arc<Mutex<State<S>>>);

struct State<S> {
    value: S,
    line: VecDeque<Waiting<S>>,
    arrivals: u64,
}

/// A run in line.
struct Waiting<S> {
    number: u64,
    run: AsyncKernelContext,
    attempt: Attempt<S>,
    watch: Watch,
}

/// What would end a run that waits.
#[derive(Default)]
struct Watch {
    on_cancel: Option<CancellationCallback>,
    alarm: Option<Alarm>,
}

/// How long runs wait at most, and the error that they end with then.
pub(crate) struct Limit {
    pub(crate) time: Duration,
    pub(crate) error: Error,
}

/// A run that is over.
struct Over {
    run: AsyncKernelContext,
    end: Result<Vec<Tensor>>,
    watch: Watch,
}

impl<S> Clone for Monitor<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Send + 'static> Monitor<S> {
    pub(crate) fn new(value: S) -> Self {
        Self(Arc::new(Mutex::new(State { value, line: VecDeque::new(), arrivals: 0 })))
    }

    /// Reads or changes the value.
    pub(crate) fn with<R>(&self, change: impl FnOnce(&mut S) -> R) -> R {
        let mut state = lock(&self.0);
        let result = change(&mut state.value);
        let over = state.serve();
        drop(state);
        over.into_iter().for_each(Over::finish);
        result
    }

    /// Starts a run with what `prepare` makes of it: finishes it where that is an error, or the step is cancelled.
    pub(crate) fn start(
        run: AsyncKernelContext,
        prepare: impl FnOnce(&mut AsyncKernelContext) -> Result<(Self, Attempt<S>)>,
    ) {
        Self::start_within(run, |run| prepare(run).map(|(monitor, attempt)| (monitor, attempt, None)));
    }

    /// As [`Monitor::start`], of a run that may wait for a limited time.
    pub(crate) fn start_within(
        mut run: AsyncKernelContext,
        prepare: impl FnOnce(&mut AsyncKernelContext) -> Result<(Self, Attempt<S>, Option<Limit>)>,
    ) {
        let cancelled = run.step().and_then(|step| step.cancellation().check());
        match cancelled.and_then(|()| prepare(&mut run)) {
            Ok((monitor, attempt, limit)) => monitor.wait(run, attempt, limit),
            Err(error) => run.finish(Err(error)),
        }
    }

    /// Tries an attempt now, and until it is over; then finishes the run.
    fn wait(&self, run: AsyncKernelContext, attempt: Attempt<S>, limit: Option<Limit>) {
        let cancellation = run.step().ok().map(|step| step.cancellation().clone());
        let mut state = lock(&self.0);
        state.arrivals += 1;
        let number = state.arrivals;
        state.line.push_back(Waiting { number, run, attempt, watch: Watch::default() });
        let over = state.serve();
        let waits = state.position(number).is_some();
        drop(state);
        over.into_iter().for_each(Over::finish);
        if !waits {
            return;
        }
        if let Some(cancellation) = cancellation {
            self.watch(number, &cancellation);
        }
        if let Some(limit) = limit {
            self.limit(number, limit);
        }
    }

    /// Takes a run out of line when its step is cancelled.
    fn watch(&self, number: u64, cancellation: &Cancellation) {
        let (shared, reason) = (Arc::downgrade(&self.0), cancellation.clone());
        let callback = cancellation.on_cancel(move || leave(&shared, number, || reason.reason()));
        self.keep(number, |watch| drop(watch.on_cancel.replace(callback)));
    }

    /// Takes a run out of line when its time is over.
    fn limit(&self, number: u64, Limit { time, error }: Limit) {
        let shared = Arc::downgrade(&self.0);
        match Alarm::after(time, move || leave(&shared, number, || error)) {
            Ok(alarm) => self.keep(number, |watch| drop(watch.alarm.replace(alarm))),
            Err(error) => leave(&Arc::downgrade(&self.0), number, || error),
        }
    }

    /// Keeps what would end a run with the run, as long as that waits.
    fn keep(&self, number: u64, keep: impl FnOnce(&mut Watch)) {
        // What is not kept is dropped after the lock: its end may wait for others.
        let mut unused = Watch::default();
        let mut state = lock(&self.0);
        match state.position(number) {
            Some(at) => keep(&mut state.line[at].watch),
            None => keep(&mut unused),
        }
        drop(state);
        drop(unused);
    }
}

/// Ends a run that is still in line.
fn leave<S>(shared: &Weak<Mutex<State<S>>>, number: u64, error: impl FnOnce() -> Error) {
    let Some(shared) = shared.upgrade() else { return };
    let mut state = lock(&shared);
    let left = state.position(number).and_then(|at| state.line.remove(at));
    drop(state);
    if let Some(Waiting { run, watch, .. }) = left {
        Over { run, end: Err(error()), watch }.finish();
    }
}

fn lock<S>(state: &Mutex<State<S>>) -> MutexGuard<'_, State<S>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S> State<S> {
    fn position(&self, number: u64) -> Option<usize> {
        self.line.iter().position(|waiting| waiting.number == number)
    }

    /// Tries the runs in line until none of them gets on.
    fn serve(&mut self) -> Vec<Over> {
        let mut over = Vec::new();
        loop {
            let before = over.len();
            for mut waiting in std::mem::take(&mut self.line) {
                match (waiting.attempt)(&mut self.value) {
                    Some(end) => over.push(Over { run: waiting.run, end, watch: waiting.watch }),
                    None => self.line.push_back(waiting),
                }
            }
            if over.len() == before {
                return over;
            }
        }
    }
}

impl Over {
    /// Finishes the run, which may start others that use the value.
    fn finish(mut self) {
        drop(std::mem::take(&mut self.watch));
        let result = self.end.and_then(|outputs| {
            check_outputs(&self.run, &outputs)?;
            self.run.set_outputs(outputs);
            Ok(())
        });
        self.run.finish(result);
    }
}

/// An error unless tensors can be the outputs of a run.
fn check_outputs(run: &AsyncKernelContext, outputs: &[Tensor]) -> Result<()> {
    let wanted = &run.node().output_dtypes;
    let (count, expected) = (outputs.len(), wanted.len());
    ensure!(count == expected, "there are {count} tensors, and the op has {expected} outputs");
    let differs = outputs.iter().zip(wanted).position(|(tensor, dtype)| tensor.dtype() != *dtype);
    if let Some(at) = differs {
        let message = format!("tensor {at} is of {}, the op expects {}", outputs[at].dtype(), wanted[at]);
        return Err(Error::new(Code::Internal, ErrorKind::InvalidArgument, message));
    }
    Ok(())
}
