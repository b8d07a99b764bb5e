//! What the runs of a session share: resources, functions, and the list of steps that are under way.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_api::function::FunctionLibrary;
use oplink_api::resource::ResourceManager;
use oplink_api::{Cancellation, Code, Error, ErrorKind, Result, Step};

use super::metadata::{Recorder, RunMetadata};
use super::run_options::{RunOptions, TraceLevel};

/// Starts and ends the steps of a session; outlives it where a prepared call does.
pub(super) struct ActiveSteps {
    resources: Arc<ResourceManager>,
    functions: Arc<dyn FunctionLibrary>,
    max_call_depth: u32,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    last_id: u64,
    closed: bool,
    steps: Vec<Step>,
}

/// A step that is under way; it ends when this is dropped.
pub(super) struct Run<'a> {
    runs: &'a ActiveSteps,
    pub(super) step: Step,
}

impl ActiveSteps {
    pub(super) fn new(functions: Arc<dyn FunctionLibrary>, max_call_depth: u32) -> Self {
        Self { resources: Arc::default(), functions, max_call_depth, running: Mutex::default() }
    }

    pub(super) fn resources(&self) -> &Arc<ResourceManager> {
        &self.resources
    }

    /// Starts a step that stops with `cancellation`.
    ///
    /// # Errors
    /// The session is closed.
    pub(super) fn begin(&self, cancellation: Cancellation) -> Result<Run<'_>> {
        let mut running = self.running();
        if running.closed {
            return Err(closed());
        }
        running.last_id += 1;
        let step = Step::new(running.last_id, self.resources.clone(), Some(self.functions.clone()), cancellation);
        let step = step.with_max_call_depth(self.max_call_depth);
        running.steps.push(step.clone());
        Ok(Run { runs: self, step })
    }

    /// Runs a step as the options say.
    ///
    /// # Errors
    /// The session is closed; `run`'s own, among them the cancellation's.
    pub(super) fn run_with(&self, options: &RunOptions, run: impl FnOnce(&Step) -> Result<()>) -> Result<RunMetadata> {
        let cancellation = Cancellation::with_deadline(options.deadline());
        let _linked = options.cancellation.as_ref().map(|given| {
            let (own, reason) = (cancellation.clone(), given.clone());
            given.on_cancel(move || own.cancel(reason.reason()))
        });
        let under_way = self.begin(cancellation)?;
        let step = &under_way.step;
        if options.trace == TraceLevel::Off {
            run(step)?;
            return Ok(RunMetadata { step_id: step.id(), ..RunMetadata::default() });
        }
        let recorder = Arc::new(Recorder::new());
        run(&step.clone().with_tracer(recorder.clone()))?;
        Ok(recorder.finish(step.id()))
    }

    /// Refuses further steps and cancels those under way.
    pub(super) fn close(&self) {
        let steps = {
            let mut running = self.running();
            running.closed = true;
            running.steps.clone()
        };
        steps.iter().for_each(|step| step.cancellation().cancel(closed()));
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.step.own_resources().clear();
        let mut running = self.runs.running();
        if let Some(at) = running.steps.iter().position(|step| step.id() == self.step.id()) {
            running.steps.swap_remove(at);
        }
    }
}

impl Drop for ActiveSteps {
    /// Destroys the resources, which ends what works on them beside the steps: it may hold the manager itself.
    fn drop(&mut self) {
        self.resources.clear();
    }
}

#[cold]
fn closed() -> Error {
    Error::new(Code::Cancelled, ErrorKind::Cancelled, "the session is closed; make a new one to run the graph again")
}
