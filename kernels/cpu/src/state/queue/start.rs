//! How the runs of queue ops start.

use std::collections::VecDeque;
use std::sync::Arc;

use oplink::prelude::*;
use oplink::{AsyncKernelContext, int_values};

use super::batch::{Wanted, empty};
use super::resource::Queue;
use super::store::Row;

/// What a run does with the queue.
pub(super) enum Start {
    /// Puts elements in.
    Write(VecDeque<Row>),
    /// Takes elements out.
    Read(Wanted),
    /// Closes it after those that wait.
    Close,
    /// Closes it before those that wait.
    CloseNow,
    /// Nothing: these are its outputs.
    Outputs(Vec<Tensor>),
}

/// Starts a run on the queue in input 0 with what `prepare` makes of its inputs.
pub(super) fn start(mut run: AsyncKernelContext, prepare: impl FnOnce(&Queue, &AsyncKernelContext) -> Result<Start>) {
    let prepared = queue_of(&run).and_then(|queue| {
        let start = prepare(&queue, &run)?;
        Ok((queue, start))
    });
    match prepared {
        Err(error) => run.finish(Err(error)),
        Ok((queue, Start::Write(rows))) => queue.write(run, rows),
        Ok((queue, Start::Read(wanted))) => queue.read(run, wanted),
        Ok((queue, Start::Close)) => queue.close(run),
        Ok((queue, Start::CloseNow)) => queue.close_now(run),
        Ok((_, Start::Outputs(outputs))) => {
            outputs.into_iter().enumerate().for_each(|(index, output)| run.set_output(index, output));
            run.finish(Ok(()));
        }
    }
}

fn queue_of(run: &AsyncKernelContext) -> Result<Arc<Queue>> {
    if let Ok(step) = run.step() {
        step.cancellation().check()?;
    }
    if run.attrs().get("timeout_ms").is_some() {
        let timeout: i64 = run.attr("timeout_ms")?;
        ensure!(timeout == -1, "timeout_ms must be -1, time limits of single ops are not supported; it is {timeout}");
    }
    run.resource(0)
}

/// A read of as many elements as input 1 says.
pub(super) fn start_batch(queue: &Queue, run: &AsyncKernelContext, or_fewer: bool) -> Result<Start> {
    let dtypes = &run.node().output_dtypes;
    queue.declaration().check_dtypes(dtypes)?;
    let count = match int_values(&run.inputs()[1])?[..] {
        [count] => usize::try_from(count),
        _ => bail!("n must have one element, it has shape {}", run.inputs()[1].shape()),
    };
    let Ok(count) = count else { bail!("n, the number of elements, must not be negative") };
    let Some(shapes) = &queue.declaration().shapes else {
        bail!("the queue does not tell its components' shapes, which it must to give several elements at once")
    };
    if count == 0 {
        let outputs = dtypes.iter().zip(shapes).map(|(dtype, shape)| empty(*dtype, shape));
        return Ok(Start::Outputs(outputs.collect::<Result<_>>()?));
    }
    Ok(Start::Read(Wanted { count, as_rows: true, or_fewer }))
}
