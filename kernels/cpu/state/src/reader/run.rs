//! What is done with readers. Each kernel serves the op that takes resources, `ReaderReadV2`, and the one that takes
//! references, `ReaderRead`.

use std::sync::Arc;

use oplink::AsyncKernelContext;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink_ops::state::ReaderSerializeStateV2;
use oplink_ops::state::{ReaderNumRecordsProduced, ReaderNumRecordsProducedV2, ReaderNumWorkUnitsCompleted};
use oplink_ops::state::{ReaderNumWorkUnitsCompletedV2, ReaderRead, ReaderReadUpTo, ReaderReadUpToV2, ReaderReadV2};
use oplink_ops::state::{ReaderReset, ReaderResetV2, ReaderRestoreState, ReaderRestoreStateV2, ReaderSerializeState};

use super::resource::{Job, Reader};
use crate::arguments::Size;

/// `ReaderReadV2` and `ReaderRead`: the next record. The run waits where the queue is empty; it ends with `OutOfRange`
/// when the queue is closed before.
#[kernel(ReaderReadV2, device = CPU, async)]
#[kernel(ReaderRead, device = CPU, async)]
pub fn reader_read_cpu(run: AsyncKernelContext) {
    start(run, |run| {
        let (inputs, _) = run.arguments::<ReaderReadV2>()?;
        Ok((inputs.reader_handle.resource()?, inputs.queue_handle.resource()?, None))
    });
}

/// `ReaderReadUpToV2` and `ReaderReadUpTo`: the next `num_records` records, two vectors; fewer where the file of some
/// of them ends.
#[kernel(ReaderReadUpToV2, device = CPU, async)]
#[kernel(ReaderReadUpTo, device = CPU, async)]
pub fn reader_read_up_to_cpu(run: AsyncKernelContext) {
    start(run, |run| {
        let (inputs, _) = run.arguments::<ReaderReadUpToV2>()?;
        let count = Size::bind(&inputs.num_records).map_err(|error| error.context("input num_records"))?.0;
        Ok((inputs.reader_handle.resource()?, inputs.queue_handle.resource()?, Some(count)))
    });
}

/// A reader, the queue that its run takes units of work from, and how many records it wants as vectors.
type Start = (Arc<Reader>, Arc<crate::queue::Queue>, Option<usize>);

fn start(mut run: AsyncKernelContext, prepare: impl FnOnce(&mut AsyncKernelContext) -> Result<Start>) {
    let cancelled = run.step().map_or(Ok(()), |step| step.cancellation().check());
    match cancelled.and_then(|()| prepare(&mut run)) {
        Ok((reader, queue, count)) => reader.read(Job::new(run, &queue, count)),
        Err(error) => run.finish(Err(error)),
    }
}

/// `ReaderNumRecordsProducedV2` and `ReaderNumRecordsProduced`: how many records were read.
#[kernel(ReaderNumRecordsProducedV2, device = CPU)]
#[kernel(ReaderNumRecordsProduced, device = CPU)]
pub fn reader_num_records_produced_cpu(reader_handle: Arc<Reader>) -> i64 {
    reader_handle.counts().produced
}

/// `ReaderNumWorkUnitsCompletedV2` and `ReaderNumWorkUnitsCompleted`: how many units of work were read to their ends.
#[kernel(ReaderNumWorkUnitsCompletedV2, device = CPU)]
#[kernel(ReaderNumWorkUnitsCompleted, device = CPU)]
pub fn reader_num_work_units_completed_cpu(reader_handle: Arc<Reader>) -> i64 {
    reader_handle.counts().finished
}

/// `ReaderResetV2` and `ReaderReset`: make a reader as new.
#[kernel(ReaderResetV2, device = CPU)]
#[kernel(ReaderReset, device = CPU)]
pub fn reader_reset_cpu(reader_handle: Arc<Reader>) {
    reader_handle.reset();
}

/// `ReaderSerializeStateV2` and `ReaderSerializeState`: the state of a reader as a message.
#[kernel(ReaderSerializeStateV2, device = CPU)]
#[kernel(ReaderSerializeState, device = CPU)]
pub fn reader_serialize_state_cpu(reader_handle: Arc<Reader>) -> Result<Tensor> {
    Ok(Tensor::scalar(TString::new(reader_handle.serialize()?)))
}

/// `ReaderRestoreStateV2` and `ReaderRestoreState`: give a reader the state in a message.
#[kernel(ReaderRestoreStateV2, device = CPU)]
#[kernel(ReaderRestoreState, device = CPU)]
pub fn reader_restore_state_cpu(reader_handle: Arc<Reader>, state: &Tensor) -> Result<()> {
    ensure!(state.rank() == 0, "state must be a scalar, it has shape {}", state.shape());
    reader_handle.restore(state.as_slice::<TString>()?[0].as_bytes())
}
