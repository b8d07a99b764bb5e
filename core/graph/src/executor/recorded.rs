//! A device's work that is recorded once and enqueued as a whole from then on, while shapes stay the same.
//!
//! A launch of a program costs the host some microseconds, a whole recording little more. What is recorded is fixed:
//! where values lie, their shapes, and what the host made of values of its own. So the inputs are copied to where they
//! were at recording, and values in host memory must be the ones that were recorded.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use oplink_api::device::{DeviceContext, RecordedWork};
use oplink_api::{DType, Result, Shape, Step, Tensor};

use super::Executor;
use super::parts::{Parts, divide};
use crate::dataflow::Dataflow;
use crate::kernels::{Kernels, PlanInParts, PlanInputs, may_wait};
use crate::sequential::SequentialExecutor;
use crate::signature::{Signature, needed_nodes};

/// Runs with the same inputs, but for elements in the device's memory, before their work is recorded: programs and
/// libraries are loaded in the first ones.
const RUNS_BEFORE: u32 = 3;
/// Runs with other inputs after which a recording goes.
const RUNS_WITHOUT: u32 = 16;
/// Bytes of an input in host memory at most.
const MOST_HOST_BYTES: usize = 1 << 12;

/// A plan in three parts, of which the middle one is recorded.
struct RecordedPlan {
    before: Executor,
    work: Work,
    after: Executor,
}

/// The work of a device.
struct Work {
    nodes: SequentialExecutor,
    num_inputs: usize,
    context: Arc<dyn DeviceContext>,
    state: Mutex<State>,
}

enum State {
    /// Runs are counted in which the inputs were like these.
    Counting { inputs: Vec<Kind>, runs: u32 },
    /// The work, for inputs like these, and the runs since that had others.
    Recorded { inputs: Vec<Kind>, recording: Recording, runs_without: u32 },
    /// The device records nothing, or not this.
    Never,
}

struct Recording {
    work: Box<dyn RecordedWork>,
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
}

/// A plan in parts; `None` where no device has enough work for that, or where its work finishes later.
///
/// # Errors
/// Those of the whole plan.
pub(crate) fn plan_recorded_work(inputs: &PlanInputs<'_>) -> Result<Option<Box<dyn PlanInParts>>> {
    let &PlanInputs { graph, assigned, devices, cache, cancellation, .. } = inputs;
    // Other parts may hold kernels that finish later.
    if !Dataflow::IS_LINKED {
        return Ok(None);
    }
    let Some(Parts { context, before, work, after }) = divide(inputs)? else { return Ok(None) };
    let needed = needed_nodes(graph, &work)?;
    let kernels = Kernels::prepare(graph, &needed, &work.feeds, assigned, cache, cancellation)?;
    if kernels.all().any(|kernel| may_wait(graph, kernel)) {
        return Ok(None);
    }
    let nodes = SequentialExecutor::build(graph, &work, &needed, &kernels, devices.envs.clone(), None, cancellation)?;
    let assemble = |signature: &Signature| {
        let needed = &needed_nodes(graph, signature)?;
        Executor::assemble(&PlanInputs { signature, needed, ..*inputs })
    };
    let state = Mutex::new(State::Counting { inputs: Vec::new(), runs: 0 });
    let num_inputs = work.feeds.len();
    Ok(Some(Box::new(RecordedPlan {
        before: assemble(&before)?,
        work: Work { nodes, num_inputs, context, state },
        after: assemble(&after)?,
    })))
}

impl PlanInParts for RecordedPlan {
    fn run(&self, step: &Step, feeds: Vec<Tensor>, fetched: &mut Vec<Tensor>) -> Result<()> {
        let mut inputs = Vec::new();
        self.before.run(step, feeds.into_iter(), &mut inputs)?;
        let others = inputs.split_off(self.work.num_inputs);
        let mut results = Vec::new();
        // Until the results have been read, nobody else may have the recorded work overwrite them.
        let _lock = self.work.run(step, inputs, &mut results)?;
        results.extend(others);
        self.after.run(step, results.into_iter(), fetched)
    }

    fn node_names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.before.node_names().chain(self.work.nodes.node_names()).chain(self.after.node_names()))
    }
}

impl Work {
    /// Appends the results to `results`. Where a lock comes back, they are the recorded ones, and its holder's.
    fn run(
        &self,
        step: &Step,
        inputs: Vec<Tensor>,
        results: &mut Vec<Tensor>,
    ) -> Result<Option<MutexGuard<'_, State>>> {
        let state = match self.state.try_lock() {
            // Each node of a traced run is told of.
            _ if step.tracer().is_some() => None,
            Ok(state) => Some(state),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            // Another run has the recorded work.
            Err(TryLockError::WouldBlock) => None,
        };
        if let Some(mut state) = state
            && state.serves(self, step, &inputs)?
            && let State::Recorded { recording, .. } = &*state
        {
            step.cancellation().check()?;
            for (input, target) in inputs.iter().zip(&recording.inputs).filter(|(input, _)| input.is_on_device()) {
                self.context.copy_into(input, target)?;
            }
            recording.work.launch()?;
            results.extend(recording.outputs.iter().cloned());
            return Ok(Some(state));
        }
        self.nodes.run(step, inputs.into_iter(), results)?;
        Ok(None)
    }

    /// Records a run; `None` where that is impossible.
    ///
    /// # Errors
    /// The reason of the step's cancellation.
    fn record(&self, step: &Step, inputs: &[Tensor]) -> Result<Option<Recording>> {
        let recorded = self.try_record(step, inputs);
        step.cancellation().check().map(|()| recorded.ok())
    }

    fn try_record(&self, step: &Step, inputs: &[Tensor]) -> Result<Recording> {
        let own = |input: &Tensor| match input.is_on_device() {
            true => self.context.copy_in_device(input),
            false => Ok(input.clone()),
        };
        let inputs = inputs.iter().map(own).collect::<Result<Vec<_>>>()?;
        let mut outputs = Vec::new();
        let mut run = || self.nodes.run(step, inputs.iter().cloned(), &mut outputs);
        let work = self.context.record(&mut run)?;
        Ok(Recording { work, inputs, outputs })
    }
}

impl State {
    /// Whether there is a recording for such inputs, now that they came.
    fn serves(&mut self, work: &Work, step: &Step, given: &[Tensor]) -> Result<bool> {
        match self {
            Self::Never => {}
            Self::Recorded { inputs, runs_without, .. } => {
                if are_alike(given, inputs)? {
                    *runs_without = 0;
                    return Ok(true);
                }
                *runs_without += 1;
                if *runs_without >= RUNS_WITHOUT {
                    *self = Self::Counting { inputs: kinds(given, &work.context), runs: 1 };
                }
            }
            Self::Counting { inputs, runs } => {
                if !are_alike(given, inputs)? {
                    (*inputs, *runs) = (kinds(given, &work.context), 0);
                }
                *runs += 1;
                if *runs > RUNS_BEFORE && are_alike(given, inputs)? {
                    *self = match work.record(step, given)? {
                        Some(recording) => {
                            Self::Recorded { inputs: std::mem::take(inputs), recording, runs_without: 0 }
                        }
                        None => Self::Never,
                    };
                    return Ok(matches!(self, Self::Recorded { .. }));
                }
            }
        }
        Ok(false)
    }
}

/// What recorded work relies on in an input: dtype and shape, and the elements where they are in host memory.
enum Kind {
    OnDevice(DType, Shape),
    OnHost(Tensor),
    /// Somewhere else, or too large to be compared: nothing is like it.
    Other,
}

fn kinds(inputs: &[Tensor], context: &Arc<dyn DeviceContext>) -> Vec<Kind> {
    let kind = |input: &Tensor| match input.device() {
        Some(device) if device == context.device() => Kind::OnDevice(input.dtype(), input.shape().clone()),
        None if input.dtype().size().is_some() && input.num_bytes() <= MOST_HOST_BYTES => Kind::OnHost(input.clone()),
        _ => Kind::Other,
    };
    inputs.iter().map(kind).collect()
}

fn are_alike(inputs: &[Tensor], kinds: &[Kind]) -> Result<bool> {
    if inputs.len() != kinds.len() {
        return Ok(false);
    }
    for (input, kind) in inputs.iter().zip(kinds) {
        let is_alike = match kind {
            Kind::OnDevice(dtype, shape) => input.is_on_device() && input.dtype() == *dtype && input.shape() == shape,
            Kind::OnHost(other) => {
                let is_same = !input.is_on_device() && input.dtype() == other.dtype() && input.shape() == other.shape();
                is_same && input.as_bytes()? == other.as_bytes()?
            }
            Kind::Other => false,
        };
        if !is_alike {
            return Ok(false);
        }
    }
    Ok(true)
}
