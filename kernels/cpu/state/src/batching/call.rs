//! A call that waits in a batch.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::{AsyncKernelContext, CancellationCallback, Step};

use super::scheduler::Scheduler;

use crate::rows::join_into;

/// A call: the run of its node until it ends. It ends with its outputs, or when its step does.
pub(super) struct Call {
    state: Arc<Mutex<State>>,
    on_cancel: Mutex<Option<CancellationCallback>>,
    /// The run's step.
    pub(super) step: Step,
    pub(super) captured: Vec<Tensor>,
}

struct State {
    run: Option<AsyncKernelContext>,
    /// What the batches that the call is parted among made, in order; one where it is not parted.
    parts: Vec<Option<Vec<Tensor>>>,
}

/// A part of a call, which is in one batch: all of it, mostly.
pub(super) struct Part {
    pub(super) call: Arc<Call>,
    /// Which part.
    pub(super) at: usize,
    pub(super) inputs: Vec<Tensor>,
    pub(super) rows: usize,
}

impl Call {
    /// The call of a run of a step.
    fn new(run: AsyncKernelContext, step: Step, captured: Vec<Tensor>, parts: usize) -> Arc<Self> {
        // bounded: the rows of the call, which are there
        let state = Arc::new(Mutex::new(State { run: Some(run), parts: vec![None; parts] }));
        let shared = Arc::downgrade(&state);
        let reason = step.cancellation().clone();
        let on_cancel = step.cancellation().on_cancel(move || {
            let run = shared.upgrade().and_then(|state| lock(&state).run.take());
            if let Some(run) = run {
                run.finish(Err(reason.reason()));
            }
        });
        Arc::new(Self { state, on_cancel: Mutex::new(Some(on_cancel)), step, captured })
    }

    /// Whether somebody waits for it.
    pub(super) fn is_waited_for(&self) -> bool {
        lock(&self.state).run.is_some()
    }

    /// Ends the call.
    pub(super) fn finish(&self, outputs: Result<Vec<Tensor>>) {
        let run = lock(&self.state).run.take();
        drop(self.on_cancel.lock().unwrap_or_else(PoisonError::into_inner).take());
        let Some(mut run) = run else { return };
        let checked = outputs.and_then(|outputs| {
            let wanted = &run.node().output_dtypes;
            let fits = outputs.iter().map(Tensor::dtype).eq(wanted.iter().copied());
            ensure!(fits, "there are {} tensors of other number or dtypes than the outputs", outputs.len());
            run.set_outputs(outputs);
            Ok(())
        });
        run.finish(checked);
    }
}

impl Part {
    /// Gives the call what was made of this part; the last part ends it.
    pub(super) fn finish(self, outputs: Vec<Tensor>) {
        let mut state = lock(&self.call.state);
        state.parts[self.at] = Some(outputs);
        if state.parts.iter().any(Option::is_none) {
            return;
        }
        let parts: Vec<Vec<Tensor>> = std::mem::take(&mut state.parts).into_iter().flatten().collect();
        drop(state);
        let joined = join_parts(parts);
        self.call.finish(joined);
    }
}

/// What a run enters a batch with.
pub(super) struct Entering {
    pub(super) scheduler: Arc<Scheduler>,
    pub(super) queue: String,
    pub(super) inputs: Vec<Tensor>,
    pub(super) captured: Vec<Tensor>,
    /// The outputs of a call without rows, which is in no batch.
    pub(super) without_rows: Vec<Tensor>,
}

/// Lets a run enter a batch, with what `prepare` makes of it; finishes it where that is an error.
pub(super) fn enter(mut run: AsyncKernelContext, prepare: impl FnOnce(&mut AsyncKernelContext) -> Result<Entering>) {
    let prepared = run.step().and_then(|step| step.cancellation().check().map(|()| step.clone()));
    let prepared = prepared.and_then(|step| prepare(&mut run).map(|entering| (step, entering)));
    let (step, Entering { scheduler, queue, inputs, captured, without_rows }) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return run.finish(Err(error)),
    };
    let rows = common_rows(&inputs);
    if let Ok(0) = rows {
        run.set_outputs(without_rows);
        return run.finish(Ok(()));
    }
    let mut waits = Some(run);
    let entered = rows.and_then(|rows| {
        scheduler.schedule(&queue, rows, |sizes| {
            let pieces = pieces(&inputs, sizes)?;
            let Some(run) = waits.take() else { return Ok(Vec::new()) };
            let call = Call::new(run, step, captured, sizes.len());
            let part = |((at, inputs), &rows)| Part { call: call.clone(), at, inputs, rows };
            Ok(pieces.into_iter().enumerate().zip(sizes).map(part).collect())
        })
    });
    if let (Some(run), Err(error)) = (waits, entered) {
        run.finish(Err(error));
    }
}

/// The number of rows that all inputs have.
fn common_rows(inputs: &[Tensor]) -> Result<usize> {
    let mut common = None;
    for (at, input) in inputs.iter().enumerate() {
        let Some(&rows) = input.shape().first() else { bail!("input {at} of a call must have rows, it is a scalar") };
        let wanted = *common.get_or_insert(rows);
        ensure!(
            rows == wanted,
            "the inputs of a call must have as many rows each: the first has {wanted}, input {at} {rows}"
        );
    }
    Ok(common.unwrap_or(0))
}

/// The rows of inputs in parts of these sizes.
fn pieces(inputs: &[Tensor], sizes: &[usize]) -> Result<Vec<Vec<Tensor>>> {
    let mut first = 0;
    let mut piece = |&rows: &usize| {
        let range = (first, first + rows);
        first += rows;
        inputs.iter().map(|input| input.slice(range.0, range.1)).collect()
    };
    match sizes {
        [_] => Ok(vec![inputs.to_vec()]),
        _ => sizes.iter().map(&mut piece).collect(),
    }
}

/// The tensors of all parts, each joined with those at its place in the others.
fn join_parts(mut parts: Vec<Vec<Tensor>>) -> Result<Vec<Tensor>> {
    if parts.len() == 1 {
        return Ok(parts.pop().unwrap_or_default());
    }
    let count = parts.first().map_or(0, Vec::len);
    let mut joined = try_vec(count)?;
    for at in 0..count {
        let pieces: Vec<&Tensor> = parts.iter().filter_map(|part| part.get(at)).collect();
        joined.push(join_rows(&pieces, 0)?);
    }
    Ok(joined)
}

/// The rows of all tensors, then the first one again, so often.
///
/// # Errors
/// The rows have different shapes or dtypes; there is no first row to repeat.
pub(super) fn join_rows(tensors: &[&Tensor], repeated: usize) -> Result<Tensor> {
    let Some(first) = tensors.first() else { bail!("there are no tensors to join") };
    let Some((_, row)) = first.shape().split_first() else { bail!("a scalar has no rows to join") };
    let mut rows = repeated;
    for tensor in tensors {
        let (shape, dtype) = (tensor.shape(), tensor.dtype());
        let fits = dtype == first.dtype() && shape.split_first().is_some_and(|(_, other)| other == row);
        ensure!(
            fits,
            "the calls of a batch must have rows of one shape and dtype, there are {} {} and {dtype} {shape}",
            first.dtype(),
            first.shape()
        );
        rows = rows.saturating_add(shape[0]);
    }
    if let ([only], 0) = (tensors, repeated) {
        return Ok((*only).clone());
    }
    let length: usize = row.iter().product();
    let padding = match repeated {
        0 => None,
        _ if first.shape()[0] == 0 => bail!("a batch whose first call has no rows cannot be padded"),
        _ => Some(first.slice(0, 1)?),
    };
    let mut pieces: Vec<(Option<&Tensor>, usize)> = try_vec(tensors.len().saturating_add(repeated))?;
    pieces.extend(tensors.iter().map(|&tensor| (Some(tensor), tensor.num_elements())));
    if let Some(padding) = &padding {
        // bounded: room for as many was asked for above
        pieces.extend(std::iter::repeat_n((Some(padding), length), repeated));
    }
    let mut out = Tensor::zeros(first.dtype(), [&[rows], row].concat())?;
    join_into(&mut out, &pieces)?;
    Ok(out)
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
