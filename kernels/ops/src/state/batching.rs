//! Calls that wait for each other, so that what they do is done once for the rows of several.
//!
//! `Batch` joins the inputs of calls and `Unbatch` parts what was made of them; `UnbatchGrad` joins the gradients of
//! the parts. `BatchFunction` joins, calls a function, and parts its results. Nodes of one `container` and
//! `shared_name` share their calls, those without a name that of the node's name.
//!
//! The inputs of a call have as many rows as each other, `max_batch_size` at most. Calls of one `batching_queue` whose
//! rows fit are a batch. It is run when it is full or the next call does not fit, and at the latest
//! `batch_timeout_micros` after its first call, by one of `num_batch_threads` threads. A call that needs a new batch
//! while there are `max_enqueued_batches` is `Unavailable`. With `allowed_batch_sizes`, which increase and end with
//! `max_batch_size`, the rows of a batch are as many as the next of these sizes: the first row is repeated.
//!
//! A call without rows is in no batch. A call whose step ends leaves at once, with the step's error; its rows may still
//! be computed for the others.

use oplink::attr_enum;
use oplink::prelude::*;

attr_enum! {
    /// How calls of low priority share batches with others.
    pub enum MixedPriorityPolicy {
        PaddingWithMaxBatchSize = "low_priority_padding_with_max_batch_size",
        PaddingWithNextAllowedBatchSize = "low_priority_padding_with_next_allowed_batch_size",
        Isolation = "priority_isolation",
        Merge = "priority_merge",
    }
}

attr_enum! {
    /// How a batch comes to an allowed size.
    pub enum BatchPaddingPolicy {
        PadUp = "PAD_UP",
        BatchDown = "BATCH_DOWN",
        MinimizeTpuCostPerRequest = "MINIMIZE_TPU_COST_PER_REQUEST",
    }
}

/// Joins the inputs of calls. The last call of a batch gets `batched_tensors`, the rows of all its calls, and
/// `batch_index`, a row for each call: its id, and where its rows start and end. The other calls get tensors without
/// rows. `id` is a number of the call, which is not given out twice.
#[op("Batch",
     input = "in_tensors: T",
     output = "batched_tensors: T",
     output = "batch_index: int64",
     output = "id: int64",
     attr = "num_batch_threads: int",
     attr = "max_batch_size: int",
     attr = "max_enqueued_batches: int = 10",
     attr = "batch_timeout_micros: int",
     attr = "allowed_batch_sizes: list(int) = []",
     attr = "grad_timeout_micros: int",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "batching_queue: string = ''",
     attr = "T: list(type) >= 1",
     unused_attr = "grad_timeout_micros",
     distributed_communication,
     shape = batch_shapes)]
pub struct Batch;

/// Calls `f` with the rows of the inputs of several calls, and with the captured tensors of the last of them; each call
/// gets its rows of the results. A result must have as many rows as the batch, those of the padding too.
///
/// With `enable_large_batch_splitting` a call may have more rows than the largest of `allowed_batch_sizes`, which then
/// may be less than `max_batch_size`: batches have that size, and a call is parted among several. With the padding
/// policy `BATCH_DOWN` the last calls of a batch whose time is over wait for the next batch, where the others have an
/// allowed size exactly. Where `num_batch_threads` is not positive, the number of threads is chosen. Calls here have no
/// priorities, so the attrs about those of low priority have no effect.
#[op("BatchFunction",
     input = "in_tensors: Tin",
     input = "captured_tensors: Tcaptured",
     output = "out_tensors: Tout",
     attr = "f: func",
     attr = "num_batch_threads: int",
     attr = "max_batch_size: int",
     attr = "batch_timeout_micros: int",
     attr = "max_enqueued_batches: int = 10",
     attr = "allowed_batch_sizes: list(int) = []",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "batching_queue: string = ''",
     attr = "low_priority_max_batch_size: int = 0",
     attr = "low_priority_batch_timeout_micros: int = 0",
     attr = "low_priority_allowed_batch_sizes: list(int) = []",
     attr = "low_priority_max_enqueued_batches: int = 0",
     attr = "mixed_priority_policy: {'low_priority_padding_with_max_batch_size', \
             'low_priority_padding_with_next_allowed_batch_size', 'priority_isolation', 'priority_merge'} = \
             'low_priority_padding_with_max_batch_size'",
     attr = "batch_padding_policy: {'PAD_UP', 'BATCH_DOWN', 'MINIMIZE_TPU_COST_PER_REQUEST'} = 'PAD_UP'",
     attr = "Tin: list(type) >= 1",
     attr = "Tcaptured: list(type) >= 0",
     attr = "Tout: list(type) >= 1",
     attr = "enable_large_batch_splitting: bool = false",
     enums(mixed_priority_policy = MixedPriorityPolicy, batch_padding_policy = BatchPaddingPolicy),
     unused_attr = "low_priority_max_batch_size",
     unused_attr = "low_priority_batch_timeout_micros",
     unused_attr = "low_priority_allowed_batch_sizes",
     unused_attr = "low_priority_max_enqueued_batches",
     unused_attr = "mixed_priority_policy",
     distributed_communication,
     shape = shape_fns::unknown)]
pub struct BatchFunction;

/// Parts a tensor that was made of what `Batch` joined. `batch_index` and `id` are the outputs of `Batch`; a call that
/// got no rows there waits for another call to bring its part, `timeout_micros` at most (`DeadlineExceeded`).
#[op("Unbatch",
     input = "batched_tensor: T",
     input = "batch_index: int64",
     input = "id: int64",
     output = "unbatched_tensor: T",
     attr = "timeout_micros: int",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "T: type",
     shape = unbatch_shape)]
pub struct Unbatch;

/// Joins the gradients of the parts that `Unbatch` made. The call that brought the rows, whose `original_input` is not
/// empty, waits for the gradients of all calls that `batch_index` names and gets them joined; the others get no rows.
#[op("UnbatchGrad",
     input = "original_input: T",
     input = "batch_index: int64",
     input = "grad: T",
     input = "id: int64",
     output = "batched_grad: T",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "T: type",
     shape = unbatch_grad_shape)]
pub struct UnbatchGrad;

/// An input whose number of rows changes.
fn with_other_rows(context: &ShapeContext<'_>, input: usize) -> Result<PartialShape> {
    let shape = context.with_rank_at_least(input, 1)?;
    let row = context.subshape(&shape, 1, None)?;
    Ok(context.concatenate(&PartialShape::new(&[None]), &row))
}

fn batch_shapes(context: &mut ShapeContext<'_>) -> Result<()> {
    let inputs = context.num_inputs();
    for input in 0..inputs {
        let shape = with_other_rows(context, input)?;
        context.set_output(input, shape);
    }
    context.set_output(inputs, PartialShape::new(&[None, Some(3)]));
    context.set_output(inputs + 1, PartialShape::scalar());
    Ok(())
}

fn unbatch_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = with_other_rows(context, 0)?;
    context.set_output(0, shape);
    Ok(())
}

fn unbatch_grad_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = with_other_rows(context, 2)?;
    context.set_output(0, shape);
    Ok(())
}
