//! The resource behind a reader's handle: the file that is being read, and the runs that want records of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use oplink::memory::try_reserve;
use oplink::prelude::*;
use oplink::spec::wire::{Value, fields, put_bytes, put_number};
use oplink::{AsyncKernelContext, CancellationCallback, NodeInfo};

use super::format::{Format, Next, Work};
use crate::queue::{Queue, Wanted};

/// A reader of the files whose names come out of queues.
///
/// Runs are served one after the other in the order in which they came. The one that is served takes names out of its
/// queue, and so may wait there; the others wait in line, which they leave when their steps are cancelled.
pub struct Reader {
    name: String,
    format: Format,
    state: Mutex<State>,
}

/// What a reader has done.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) started: i64,
    pub(super) finished: i64,
    pub(super) produced: i64,
    /// The last unit of work; empty where none came when one was asked for.
    unit: TString,
}

#[derive(Default)]
struct State {
    counts: Counts,
    work: Option<Work>,
    line: VecDeque<Job>,
    /// The run that waits for a unit of work.
    asking: Option<Job>,
    /// Whether somebody serves the line, or will when a unit of work arrives.
    busy: bool,
    arrivals: u64,
}

/// A run that wants records.
pub(super) struct Job {
    run: AsyncKernelContext,
    queue: Weak<Queue>,
    /// How many records, as vectors; one as scalars otherwise.
    wanted: Option<usize>,
    keys: Vec<TString>,
    values: Vec<TString>,
    number: u64,
    on_cancel: Option<CancellationCallback>,
}

/// How far a run gets.
enum Progress {
    Over(Result<()>),
    NeedsWork,
}

/// Where the answer of a queue is: it may come while it is asked.
enum Answer {
    Expected,
    Late,
    There(Result<TString>),
}

impl Job {
    pub(super) fn new(run: AsyncKernelContext, queue: &Arc<Queue>, wanted: Option<usize>) -> Self {
        let (keys, values) = (Vec::new(), Vec::new());
        Self { run, queue: Arc::downgrade(queue), wanted, keys, values, number: 0, on_cancel: None }
    }

    fn push(&mut self, (key, value): (TString, TString)) -> Result<()> {
        if self.keys.len() == self.keys.capacity() {
            let more = self.keys.len().max(4);
            try_reserve(&mut self.keys, more)?;
            try_reserve(&mut self.values, more)?;
        }
        self.keys.push(key);
        self.values.push(value);
        Ok(())
    }

    /// Finishes the run, which may start others that use the reader.
    fn finish(mut self, result: Result<()>) {
        drop(self.on_cancel.take());
        let result = result.map(|()| {
            let tensor = |mut strings: Vec<TString>| match self.wanted {
                Some(_) => Tensor::from(strings),
                None => Tensor::scalar(strings.pop().unwrap_or_default()),
            };
            self.run.set_outputs([tensor(self.keys), tensor(self.values)]);
        });
        self.run.finish(result);
    }
}

impl Reader {
    pub(super) fn new(name: &str, format: Format) -> Self {
        Self { name: name.to_owned(), format, state: Mutex::default() }
    }

    pub(super) fn format(&self) -> &Format {
        &self.format
    }

    pub(super) fn counts(&self) -> Counts {
        self.state().counts.clone()
    }

    /// Forgets everything but the runs that wait.
    pub(super) fn reset(&self) {
        let mut state = self.state();
        state.counts = Counts::default();
        let work = state.work.take();
        drop(state);
        drop(work);
    }

    /// The state as a `ReaderBaseState` message.
    pub(super) fn serialize(&self) -> Result<Vec<u8>> {
        self.check_has_state()?;
        let (Counts { started, finished, produced, unit }, mut out) = (self.counts(), Vec::new());
        put_number(&mut out, 1, started);
        put_number(&mut out, 2, finished);
        put_number(&mut out, 3, produced);
        if !unit.as_bytes().is_empty() {
            put_bytes(&mut out, 4, unit.as_bytes());
        }
        Ok(out)
    }

    /// Takes the state of a message over; an error leaves the reader as new.
    pub(super) fn restore(&self, message: &[u8]) -> Result<()> {
        let counts = self.check_has_state().and_then(|()| read_counts(message));
        self.reset();
        self.state().counts = counts?;
        Ok(())
    }

    fn check_has_state(&self) -> Result<()> {
        if self.format.has_state() {
            return Ok(());
        }
        Err(Error::unimplemented(format!("reader `{}` has no state that can be kept: {:?}", self.name, self.format)))
    }

    /// Reads what a run wants, and finishes it.
    pub(super) fn read(self: &Arc<Self>, mut job: Job) {
        let cancellation = job.run.step().ok().map(|step| step.cancellation().clone());
        let mut state = self.state();
        state.arrivals += 1;
        let number = state.arrivals;
        job.number = number;
        let waits = state.busy;
        state.busy = true;
        state.line.push_back(job);
        drop(state);
        if !waits {
            return self.serve();
        }
        let Some(cancellation) = cancellation else { return };
        let (reader, reason) = (Arc::downgrade(self), cancellation.clone());
        let callback = cancellation.on_cancel(move || {
            let Some(reader) = reader.upgrade() else { return };
            let mut state = reader.state();
            let left = state.line.iter().position(|job| job.number == number).and_then(|at| state.line.remove(at));
            drop(state);
            if let Some(job) = left {
                job.finish(Err(reason.reason()));
            }
        });
        let mut state = self.state();
        let unused = match state.line.iter_mut().find(|job| job.number == number) {
            Some(job) => job.on_cancel.replace(callback),
            None => Some(callback),
        };
        drop(state);
        drop(unused);
    }

    /// Serves the line until nobody is left, or a unit of work is waited for.
    fn serve(self: &Arc<Self>) {
        loop {
            let mut state = self.state();
            let Some(mut job) = state.asking.take().or_else(|| state.line.pop_front()) else {
                state.busy = false;
                return;
            };
            let progress = state.advance(&self.format, &mut job);
            match progress {
                Progress::Over(result) => {
                    drop(state);
                    job.finish(result);
                }
                Progress::NeedsWork => {
                    let Some(queue) = job.queue.upgrade() else {
                        drop(state);
                        job.finish(Err(Error::not_found("the queue of units of work was destroyed")));
                        continue;
                    };
                    let node = NodeInfo { output_dtypes: queue.dtypes().to_vec(), ..job.run.node().clone() };
                    let step = job.run.step().ok().cloned();
                    state.asking = Some(job);
                    drop(state);
                    match self.ask(&queue, node, step) {
                        Some(unit) => self.arrive(unit),
                        None => return,
                    }
                }
            }
        }
    }

    /// Takes a unit of work out of a queue: the unit where there is one; otherwise serving goes on when it arrives.
    fn ask(
        self: &Arc<Self>,
        queue: &Arc<Queue>,
        node: NodeInfo,
        step: Option<oplink::Step>,
    ) -> Option<Result<TString>> {
        let answer = Arc::new(Mutex::new(Answer::Expected));
        let (reader, shared) = (self.clone(), answer.clone());
        let done = move |result: Result<Vec<Option<Tensor>>>| {
            let unit = result.and_then(|outputs| unit_of(&outputs));
            let mut answer = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(*answer, Answer::Expected) {
                *answer = Answer::There(unit);
                return;
            }
            drop(answer);
            reader.arrive(unit);
            reader.serve();
        };
        let run = AsyncKernelContext::new(Arc::new(node), Vec::new(), step, Box::new(done));
        queue.read(run, Wanted { count: 1, as_rows: false, or_fewer: false });
        let mut answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *answer, Answer::Late) {
            Answer::There(unit) => Some(unit),
            Answer::Expected | Answer::Late => None,
        }
    }

    /// Starts the unit of work that the first run waits for; an error ends the run.
    fn arrive(&self, unit: Result<TString>) {
        let mut state = self.state();
        state.counts.unit = TString::default();
        let opened = unit.and_then(|unit| {
            let work = self.format.open(&unit);
            state.counts.unit = unit;
            work
        });
        match opened {
            Ok(work) => {
                state.counts.started += 1;
                state.work = Some(work);
            }
            Err(error) => {
                let job = state.asking.take();
                drop(state);
                if let Some(job) = job {
                    job.finish(Err(error));
                }
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resource for Reader {
    fn type_name(&self) -> &'static str {
        "reader"
    }
}

impl State {
    /// Reads records for a run until it has what it wants or needs another unit of work.
    fn advance(&mut self, format: &Format, job: &mut Job) -> Progress {
        let wanted = job.wanted.unwrap_or(1);
        while job.keys.len() < wanted {
            if job.keys.len().is_multiple_of(1024) {
                let cancelled = job.run.step().map_or(Ok(()), |step| step.cancellation().check());
                if let Err(error) = cancelled {
                    return Progress::Over(Err(error));
                }
            }
            let Some(work) = &mut self.work else { return Progress::NeedsWork };
            let Next { record, at_end } = match work.next(format) {
                Ok(next) => next,
                Err(error) => return Progress::Over(Err(error)),
            };
            if let Some(record) = record {
                self.counts.produced += 1;
                if let Err(error) = job.push(record) {
                    return Progress::Over(Err(error));
                }
            }
            if at_end {
                self.work = None;
                self.counts.finished = self.counts.started;
                if !job.keys.is_empty() {
                    break;
                }
            }
        }
        Progress::Over(Ok(()))
    }
}

/// The unit of work in an element of a queue.
fn unit_of(element: &[Option<Tensor>]) -> Result<TString> {
    let [Some(component)] = element else { bail!("the queue must have one component, it has {}", element.len()) };
    ensure!(component.dtype() == DType::String, "the queue must have a component of string, not {}", component.dtype());
    match component.as_slice::<TString>()? {
        [unit] => Ok(unit.clone()),
        _ => bail!("elements of the queue must have one string, one has the shape {}", component.shape()),
    }
}

/// What a `ReaderBaseState` message says.
fn read_counts(message: &[u8]) -> Result<Counts> {
    let mut counts = Counts::default();
    let read = fields(message, |field, value| {
        match (field, value) {
            (1, Value::Varint(number)) => counts.started = number as i64,
            (2, Value::Varint(number)) => counts.finished = number as i64,
            (3, Value::Varint(number)) => counts.produced = number as i64,
            (4, Value::Bytes(bytes)) => counts.unit = TString::new(bytes),
            _ => {}
        }
        Ok(())
    });
    if let Err(problem) = read {
        bail!("the state is no message of a reader: {problem}")
    }
    let Counts { started, finished, produced, .. } = counts;
    ensure!(
        started >= 0 && finished >= 0 && produced >= 0 && started <= finished,
        "the state says that {started} units of work were started, {finished} finished and {produced} records read"
    );
    Ok(counts)
}
