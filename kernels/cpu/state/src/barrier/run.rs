//! What is done with barriers.

use std::sync::Arc;

use oplink::AsyncKernelContext;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink_ops::state::{BarrierClose, BarrierIncompleteSize, BarrierInsertMany, BarrierReadySize, BarrierTakeMany};

use super::create::Barrier;
use crate::arguments::Scalar;
use crate::monitor::Monitor;
use crate::rows::rows;

/// `BarrierInsertMany` of every dtype: gives the elements of `keys` their component `component_index`, a row of
/// `values` each. Rows without values are an error, as keys that have the component already and new keys of a closed
/// barrier are.
#[kernel(BarrierInsertMany, device = CPU, T = any)]
pub fn barrier_insert_many_cpu(
    handle: Arc<Barrier>,
    keys: &Tensor,
    values: &Tensor,
    component_index: i64,
    env: Env<'_>,
) -> Result<()> {
    let dtypes = &handle.declaration.dtypes;
    let component = usize::try_from(component_index).ok().and_then(|at| Some((at, *dtypes.get(at)?)));
    let Some((component, dtype)) = component else {
        bail!("component_index must be that of one of {} components, it is {component_index}", dtypes.len())
    };
    let (given, keys) = (values.dtype(), keys.as_slice::<TString>()?);
    ensure!(given == dtype, "component {component} of the barrier is of {dtype}, the values are of {given}");
    let shape = values.shape();
    ensure!(keys.is_empty() || values.num_elements() > 0, "values must not be empty, they have the shape {shape}");
    let rows = rows(env, values)?;
    ensure!(rows.len() == keys.len(), "each key has a row: there are {} keys and {} rows", keys.len(), rows.len());
    handle.elements.with(|elements| elements.insert(component, keys, rows))
}

/// `BarrierTakeMany`: takes `num_elements` whole elements, for which the run waits; from a closed barrier with
/// `allow_small_batch` those there are.
#[kernel(BarrierTakeMany, device = CPU, async)]
pub fn barrier_take_many_cpu(run: AsyncKernelContext) {
    Monitor::start(run, |run| {
        let (inputs, attrs) = run.arguments::<BarrierTakeMany>()?;
        let (or_fewer, timeout) = (attrs.allow_small_batch, attrs.timeout_ms);
        ensure!(timeout == -1, "timeout_ms must be -1, time limits of single ops are not supported; it is {timeout}");
        let count = Scalar::bind(&inputs.num_elements).map_err(|error| error.context("input num_elements"))?.0;
        let Ok(count) = usize::try_from(count) else { bail!("num_elements must not be negative, it is {count}") };
        let barrier = inputs.handle.resource::<Barrier>()?;
        let dtypes = &barrier.declaration.dtypes;
        ensure!(attrs.component_types == *dtypes, "the barrier has components of {dtypes:?}");
        let wanted = barrier.elements.with(|elements| elements.wanted(count, or_fewer))?;
        Ok((barrier.elements.clone(), Box::new(move |elements| elements.take(wanted, or_fewer))))
    });
}

/// `BarrierClose`: lets no more keys in; with `cancel_pending_enqueues` what is not whole goes.
#[kernel(BarrierClose, device = CPU)]
pub fn barrier_close_cpu(handle: Arc<Barrier>, cancel_pending_enqueues: bool) -> Result<()> {
    handle.elements.with(|elements| elements.close(cancel_pending_enqueues))
}

/// `BarrierReadySize`: the number of whole elements.
#[kernel(BarrierReadySize, device = CPU)]
pub fn barrier_ready_size_cpu(handle: Arc<Barrier>) -> i32 {
    handle.elements.with(|elements| elements.ready()) as i32
}

/// `BarrierIncompleteSize`: the number of elements that are not whole.
#[kernel(BarrierIncompleteSize, device = CPU)]
pub fn barrier_incomplete_size_cpu(handle: Arc<Barrier>) -> i32 {
    handle.elements.with(|elements| elements.incomplete()) as i32
}
