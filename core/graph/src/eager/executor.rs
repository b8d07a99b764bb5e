//! What runs eager calls: at once, or queued, one after the other on a thread.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use oplink_api::error::panic_message;
use oplink_api::{Code, Error, ErrorKind, Result, Tensor};

use super::pending::PendingTensor;

/// A call that is queued, with the tensors that wait for it.
pub struct QueuedCall {
    outputs: Vec<Arc<PendingTensor>>,
    work: Box<dyn FnOnce() -> Result<Vec<Tensor>> + Send>,
}

impl QueuedCall {
    /// A call that gives a tensor for each of `outputs`.
    pub fn new(outputs: Vec<Arc<PendingTensor>>, work: impl FnOnce() -> Result<Vec<Tensor>> + Send + 'static) -> Self {
        Self { outputs, work: Box::new(work) }
    }

    /// Runs the call: the tensors that wait, and what they get.
    fn run(self) -> (Vec<Arc<PendingTensor>>, Result<Vec<Tensor>>) {
        let Self { outputs, work } = self;
        let ran = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
            Err(Error::internal(format!("a queued call panicked: {}", panic_message(&*panic))))
        });
        let counted = ran.and_then(|tensors| match tensors.len() == outputs.len() {
            true => Ok(tensors),
            false => Err(Error::internal(format!("{} outputs where {} wait", tensors.len(), outputs.len()))),
        });
        (outputs, counted)
    }
}

/// Ends the waiting for the outputs of a call.
fn complete(outputs: &[Arc<PendingTensor>], outcome: Result<Vec<Tensor>>) {
    match outcome {
        Ok(tensors) => outputs.iter().zip(tensors).for_each(|(output, tensor)| output.complete(Ok(tensor))),
        Err(error) => outputs.iter().for_each(|output| output.complete(Err(error.clone()))),
    }
}

/// Runs calls in the order in which they come. A synchronous executor leaves them to the calling thread. An
/// asynchronous one queues them for a thread of its own: a call that fails ends those queued behind it with its error,
/// and the executor refuses further ones until [`EagerExecutor::clear_error`].
///
/// Dropping it waits for the queued calls.
pub struct EagerExecutor {
    queue: Option<Arc<Queue>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Queue {
    /// Calls that may be unfinished before a caller waits; 0 for any number.
    limit: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<QueuedCall>,
    is_running: bool,
    has_ended: bool,
    failure: Option<Error>,
}

impl EagerExecutor {
    /// One that leaves calls to the calling thread.
    pub fn synchronous() -> Arc<Self> {
        Arc::new(Self { queue: None, thread: Mutex::default() })
    }

    /// One that queues calls. Where `limit` is not 0, a caller waits after it queued a call until fewer than so many
    /// are unfinished.
    pub fn asynchronous(limit: usize) -> Arc<Self> {
        let queue = Queue { limit, state: Mutex::default(), changed: Condvar::new() };
        Arc::new(Self { queue: Some(Arc::new(queue)), thread: Mutex::default() })
    }

    /// Whether calls are queued.
    pub fn is_async(&self) -> bool {
        self.queue.is_some()
    }

    /// Queues a call; a synchronous executor runs it.
    ///
    /// # Errors
    /// A call before it failed, and nobody cleared the error; the executor was shut down; its thread cannot be started.
    /// Of a synchronous executor, the call's error.
    pub fn add(&self, call: QueuedCall) -> Result<()> {
        let Some(queue) = &self.queue else {
            let (outputs, outcome) = call.run();
            let ended = outcome.as_ref().map(drop).map_err(Clone::clone);
            complete(&outputs, outcome);
            return ended;
        };
        let mut state = queue.state();
        if state.has_ended {
            return Err(ended());
        }
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        self.start(queue)?;
        state.waiting.push_back(call);
        queue.changed.notify_all();
        if queue.limit != 0 {
            drop(queue.wait_while(state, |state| state.failure.is_none() && state.unfinished() >= queue.limit));
        }
        Ok(())
    }

    fn start(&self, queue: &Arc<Queue>) -> Result<()> {
        let mut thread = self.thread();
        if thread.is_none() {
            let queue = queue.clone();
            let started = thread::Builder::new().name("oplink-eager".to_owned()).spawn(move || queue.work());
            *thread = Some(started.map_err(|error| {
                let message = format!("no thread can be started for queued calls: {error}");
                Error::new(Code::ResourceExhausted, ErrorKind::Internal, message)
            })?);
        }
        Ok(())
    }

    /// Waits until all calls are done that are queued.
    ///
    /// # Errors
    /// A call failed, and nobody cleared the error.
    pub fn wait(&self) -> Result<()> {
        let Some(queue) = &self.queue else { return Ok(()) };
        let state = queue.wait_while(queue.state(), |state| state.failure.is_none() && state.unfinished() > 0);
        state.failure.clone().map_or(Ok(()), Err)
    }

    /// Forgets that a call failed, so that calls are taken again.
    pub fn clear_error(&self) {
        if let Some(queue) = &self.queue {
            queue.state().failure = None;
        }
    }

    /// Waits for the queued calls, and takes no further ones.
    pub fn shut_down(&self) {
        let Some(queue) = &self.queue else { return };
        queue.state().has_ended = true;
        queue.changed.notify_all();
        let thread = self.thread().take();
        // A call may hold the last reference to its executor: its thread cannot wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id()) {
            drop(thread.join());
        }
    }

    /// Whether it was shut down.
    pub fn has_ended(&self) -> bool {
        self.queue.as_ref().is_some_and(|queue| queue.state().has_ended)
    }

    fn thread(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for EagerExecutor {
    fn drop(&mut self) {
        self.shut_down();
    }
}

impl State {
    fn unfinished(&self) -> usize {
        self.waiting.len() + usize::from(self.is_running)
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while<'a>(&self, state: MutexGuard<'a, State>, go_on: impl Fn(&State) -> bool) -> MutexGuard<'a, State> {
        self.changed.wait_while(state, |state| go_on(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does: runs calls until there are none and the executor has ended.
    fn work(&self) {
        while let Some(call) = self.next() {
            let (outputs, outcome) = call.run();
            // Who sees that a call failed finds the executor refusing further ones.
            let abandoned = match &outcome {
                Ok(_) => VecDeque::new(),
                Err(error) => self.fail(error),
            };
            for call in abandoned {
                complete(&call.outputs, outcome.clone());
            }
            complete(&outputs, outcome);
            self.state().is_running = false;
            self.changed.notify_all();
        }
    }

    fn next(&self) -> Option<QueuedCall> {
        let mut state = self.wait_while(self.state(), |state| state.waiting.is_empty() && !state.has_ended);
        let call = state.waiting.pop_front();
        state.is_running = call.is_some();
        call
    }

    /// Refuses further calls; those that are given up.
    fn fail(&self, error: &Error) -> VecDeque<QueuedCall> {
        let mut state = self.state();
        state.failure = Some(refused(error));
        std::mem::take(&mut state.waiting)
    }
}

/// What further calls and those who wait are told of a call that failed.
#[cold]
fn refused(error: &Error) -> Error {
    let message = format!(
        "{}\n\tA queued call failed so. Calls behind it were given up, and their outputs are of no use; the executor takes \
         calls again when its error is cleared",
        error.message()
    );
    Error::new(error.code(), error.kind(), message).with_source(error.clone())
}

#[cold]
fn ended() -> Error {
    let message = "the executor was shut down: make the call on another";
    Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
}
