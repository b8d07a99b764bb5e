//! Runs of asynchronous kernels: started, and waited for where the caller has nothing else to do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use oplink_api::device::DeviceContext;
use oplink_api::foreign::AsyncKernel;
use oplink_api::{AsyncKernelContext, Done, KernelContext, KernelEnv, NodeInfo, Result, Step, Tensor};

use crate::run_error::{InputsSeen, add_node, check_outputs, panicked};

/// The outputs of a run, or its error.
type Finished = Result<Vec<Option<Tensor>>>;

/// What starts an asynchronous kernel.
pub(crate) enum AsyncFn {
    Function(fn(AsyncKernelContext)),
    Object(Box<dyn AsyncKernel>),
}

impl AsyncFn {
    fn call(&self, context: AsyncKernelContext) {
        match self {
            Self::Function(function) => function(context),
            Self::Object(kernel) => kernel.start(context),
        }
    }
}

/// What a run is part of, and where it is.
struct Place {
    step: Option<Step>,
    device: Option<Arc<dyn DeviceContext>>,
}

impl Place {
    fn of(env: &dyn KernelEnv) -> Self {
        Self { step: env.step().cloned(), device: env.device().cloned() }
    }
}

/// Starts the kernel on this thread. `done` gets its outputs, or its error without the node, once: from this thread or
/// another, possibly before the return.
fn start(function: &AsyncFn, node: &Arc<NodeInfo>, inputs: Vec<Tensor>, place: Place, done: Done) {
    let pending = Arc::new(Mutex::new(Some(done)));
    let take = |pending: &Mutex<Option<Done>>| pending.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (starter, starting) = (std::thread::current().id(), Arc::new(AtomicBool::new(true)));
    let receive = {
        let (pending, starting) = (pending.clone(), starting.clone());
        move |result: Finished| {
            // While the kernel's function unwinds, its context is dropped: the panic itself says more.
            let unwinds = starting.load(Ordering::Relaxed) && std::thread::current().id() == starter;
            if unwinds && std::thread::panicking() {
                return;
            }
            if let Some(done) = take(&pending) {
                done(result);
            }
        }
    };
    let Place { step, device } = place;
    let context = AsyncKernelContext::new(node.clone(), inputs, step, Box::new(receive)).with_device(device);
    let ran = catch_unwind(AssertUnwindSafe(|| function.call(context)));
    starting.store(false, Ordering::Relaxed);
    if let Err(payload) = ran
        && let Some(done) = take(&pending)
    {
        done(Err(panicked(&*payload, "kernel")));
    }
}

/// Starts the kernel; `done` gets its checked outputs, or its error with the node and its inputs.
pub(crate) fn start_async(
    function: &AsyncFn,
    node: &Arc<NodeInfo>,
    inputs: Vec<Tensor>,
    env: &dyn KernelEnv,
    done: Done,
) {
    let shapes: Vec<_> = inputs.iter().map(|input| input.shape().clone()).enumerate().collect();
    let of_node = node.clone();
    let finish = move |finished: Finished| {
        let checked = finished.and_then(|outputs| check_outputs(&of_node, &outputs).map(|()| outputs));
        done(checked.map_err(|error| add_node(error, &of_node, InputsSeen::Run { inputs: &[], taken: &shapes })));
    };
    start(function, node, inputs, Place::of(env), Box::new(finish));
}

/// The first answer to a run. Whatever starts the kernel or holds its context answers, so one always comes.
#[derive(Default)]
struct Answer {
    first: Mutex<Option<Finished>>,
    came: Condvar,
}

impl Answer {
    fn lock(&self) -> MutexGuard<'_, Option<Finished>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give(&self, finished: Finished) {
        self.lock().get_or_insert(finished);
        self.came.notify_one();
    }

    /// Waits for the answer, until the step's deadline where it has one.
    fn wait(&self, step: Option<&Step>) -> Finished {
        let is_missing = |first: &mut Option<Finished>| first.is_none();
        loop {
            let first = match step.and_then(|step| step.cancellation().deadline()) {
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    let waited = self.came.wait_timeout_while(self.lock(), left, is_missing);
                    waited.unwrap_or_else(PoisonError::into_inner).0.take()
                }
                None => self.came.wait_while(self.lock(), is_missing).unwrap_or_else(PoisonError::into_inner).take(),
            };
            match (first, step) {
                (Some(finished), _) => return finished,
                (None, Some(step)) => step.cancellation().check()?,
                (None, None) => {}
            }
        }
    }
}

/// Starts the kernel and blocks this thread until it finishes or the step is cancelled. The kernel owns clones of the
/// inputs.
pub(crate) fn run_async(function: &AsyncFn, node: &Arc<NodeInfo>, context: &mut KernelContext<'_>) -> Result<()> {
    let answer = Arc::new(Answer::default());
    let place = Place::of(context.env());
    let step = place.step.clone();
    let finished = answer.clone();
    start(function, node, context.inputs().to_vec(), place, Box::new(move |outputs| finished.give(outputs)));
    let _cancelled = step.as_ref().map(|step| {
        let (cancellation, answer) = (step.cancellation().clone(), answer.clone());
        step.cancellation().on_cancel(move || answer.give(Err(cancellation.reason())))
    });
    for (index, output) in answer.wait(step.as_ref())?.into_iter().enumerate() {
        if let Some(tensor) = output {
            context.set_output(index, tensor);
        }
    }
    Ok(())
}
