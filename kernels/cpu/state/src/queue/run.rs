//! Runs on queues, which may have to wait: for elements, for room, or for others before them. A run whose step is
//! cancelled ends with an error.

use std::collections::VecDeque;
use std::sync::Arc;

use oplink::AsyncKernelContext;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::state::{
    QueueClose, QueueCloseV2, QueueDequeue, QueueDequeueMany, QueueDequeueManyV2, QueueDequeueUpTo,
};
use oplink_ops::state::{QueueDequeueUpToV2, QueueDequeueV2, QueueEnqueue, QueueEnqueueMany, QueueEnqueueManyV2};
use oplink_ops::state::{QueueEnqueueV2, QueueIsClosed, QueueIsClosedV2, QueueSize, QueueSizeV2};

use super::batch::{Wanted, empty};
use super::resource::Queue;
use super::store::Row;
use crate::rows::rows;

/// `QueueEnqueueV2` and `QueueEnqueue`: put an element into a queue. The run ends when there is room for the element;
/// with an error when the queue is closed before.
#[kernel(QueueEnqueueV2, device = CPU, async)]
#[kernel(QueueEnqueue, device = CPU, async)]
pub fn queue_enqueue_cpu(run: AsyncKernelContext) {
    start::<QueueEnqueueV2>(run, |inputs, attrs| {
        let queue = queue(&inputs.handle, Some(attrs.timeout_ms))?;
        let element = inputs.components.to_vec();
        queue.declaration().check_element(&element)?;
        Ok((queue, Start::Write(VecDeque::from([element]))))
    });
}

/// `QueueEnqueueManyV2` and `QueueEnqueueMany`: put the rows of tensors into a queue as elements. All components have
/// as many rows. They enter one after the other as there is room, and the run ends when all are in; with an error when
/// the queue is closed before.
#[kernel(QueueEnqueueManyV2, device = CPU, async)]
#[kernel(QueueEnqueueMany, device = CPU, async)]
pub fn queue_enqueue_many_cpu(run: AsyncKernelContext) {
    start::<QueueEnqueueManyV2>(run, |inputs, attrs| {
        let queue = queue(&inputs.handle, Some(attrs.timeout_ms))?;
        let count = queue.declaration().check_rows(&inputs.components)?;
        let components =
            inputs.components.iter().map(|tensor| rows(None::<Env<'_>>, tensor)).collect::<Result<Vec<_>>>()?;
        let element = |at: usize| components.iter().filter_map(|component| component[at].clone()).collect();
        let elements = (0..count).map(element).collect();
        Ok((queue, Start::Write(elements)))
    });
}

/// `QueueDequeueV2` and `QueueDequeue`: take an element out of a queue. The run ends when there is an element; with
/// `OutOfRange` when the queue is closed and empty before.
#[kernel(QueueDequeueV2, device = CPU, async)]
#[kernel(QueueDequeue, device = CPU, async)]
pub fn queue_dequeue_cpu(run: AsyncKernelContext) {
    start::<QueueDequeueV2>(run, |inputs, attrs| {
        let queue = queue(&inputs.handle, Some(attrs.timeout_ms))?;
        queue.declaration().check_dtypes(attrs.component_types)?;
        Ok((queue, Start::Read(Wanted { count: 1, as_rows: false, or_fewer: false })))
    });
}

/// `QueueDequeueManyV2` and `QueueDequeueMany`: take `n` elements out of a queue, as the rows of tensors. The queue
/// must declare its components' shapes. The run ends when there were so many elements; with `OutOfRange`, and without
/// having taken any, when the queue is closed before.
#[kernel(QueueDequeueManyV2, device = CPU, async)]
#[kernel(QueueDequeueMany, device = CPU, async)]
pub fn queue_dequeue_many_cpu(run: AsyncKernelContext) {
    start::<QueueDequeueManyV2>(run, |inputs, attrs| {
        batch(queue(&inputs.handle, Some(attrs.timeout_ms))?, &inputs.n, attrs.component_types, false)
    });
}

/// `QueueDequeueUpToV2` and `QueueDequeueUpTo`: as `QueueDequeueManyV2`, but a closed queue that is not empty gives all
/// it has.
#[kernel(QueueDequeueUpToV2, device = CPU, async)]
#[kernel(QueueDequeueUpTo, device = CPU, async)]
pub fn queue_dequeue_up_to_cpu(run: AsyncKernelContext) {
    start::<QueueDequeueUpToV2>(run, |inputs, attrs| {
        batch(queue(&inputs.handle, Some(attrs.timeout_ms))?, &inputs.n, attrs.component_types, true)
    });
}

/// `QueueCloseV2` and `QueueClose`: let no more elements into a queue. Runs that wait for room come first, and this one
/// ends after them; with the attr `cancel_pending_enqueues` they end with an error at once. Runs that wait for more
/// elements than there are end with `OutOfRange`. A queue that is closed already is an error, except with that attr.
#[kernel(QueueCloseV2, device = CPU, async)]
#[kernel(QueueClose, device = CPU, async)]
pub fn queue_close_cpu(run: AsyncKernelContext) {
    start::<QueueCloseV2>(run, |inputs, attrs| {
        let queue = queue(&inputs.handle, None)?;
        Ok((queue, if attrs.cancel_pending_enqueues { Start::CloseNow } else { Start::Close }))
    });
}

/// `QueueIsClosedV2` and `QueueIsClosed`: whether a queue is closed.
#[kernel(QueueIsClosedV2, device = CPU)]
#[kernel(QueueIsClosed, device = CPU)]
pub fn queue_is_closed_cpu(handle: Arc<Queue>) -> bool {
    handle.is_closed()
}

/// `QueueSizeV2` and `QueueSize`: the number of elements in a queue.
#[kernel(QueueSizeV2, device = CPU)]
#[kernel(QueueSize, device = CPU)]
pub fn queue_size_cpu(handle: Arc<Queue>) -> i32 {
    handle.len() as i32
}

/// What a run does with its queue.
enum Start {
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

/// Starts a run of the op `O`, or of one that differs in the dtype of the handle, on the queue and with what `prepare`
/// makes of its inputs and attrs.
fn start<O: TypedOp>(
    mut run: AsyncKernelContext,
    prepare: impl FnOnce(O::Inputs<'_>, O::Attrs<'_>) -> Result<(Arc<Queue>, Start)>,
) {
    let cancelled = run.step().map_or(Ok(()), |step| step.cancellation().check());
    let prepared = cancelled.and_then(|()| {
        let (inputs, attrs) = run.arguments::<O>()?;
        prepare(inputs, attrs)
    });
    match prepared {
        Err(error) => run.finish(Err(error)),
        Ok((queue, Start::Write(rows))) => queue.write(run, rows),
        Ok((queue, Start::Read(wanted))) => queue.read(run, wanted),
        Ok((queue, Start::Close)) => queue.close(run),
        Ok((queue, Start::CloseNow)) => queue.close_now(run),
        Ok((_, Start::Outputs(outputs))) => {
            run.set_outputs(outputs);
            run.finish(Ok(()));
        }
    }
}

/// The queue behind a handle, for a run that waits as long as it has to.
fn queue(handle: &Input<'_>, timeout_ms: Option<i64>) -> Result<Arc<Queue>> {
    let timeout = timeout_ms.unwrap_or(-1);
    ensure!(timeout == -1, "timeout_ms must be -1, time limits of single ops are not supported; it is {timeout}");
    handle.resource()
}

/// A read of `n` elements.
fn batch(queue: Arc<Queue>, n: &Tensor, dtypes: &[DType], or_fewer: bool) -> Result<(Arc<Queue>, Start)> {
    queue.declaration().check_dtypes(dtypes)?;
    let count = match int_values(n)?[..] {
        [count] => usize::try_from(count),
        _ => bail!("n must have one element, it has shape {}", n.shape()),
    };
    let Ok(count) = count else { bail!("n, the number of elements, must not be negative") };
    let Some(shapes) = &queue.declaration().shapes else {
        bail!("the queue does not declare its components' shapes, which it must to give several elements at once")
    };
    let start = if count == 0 {
        let outputs = dtypes.iter().zip(shapes).map(|(dtype, shape)| empty(*dtype, shape));
        Start::Outputs(outputs.collect::<Result<_>>()?)
    } else {
        Start::Read(Wanted { count, as_rows: true, or_fewer })
    };
    Ok((queue, start))
}
