//! `Batch`: joins the inputs of calls. Every dtype.
//!
//! The last call of a batch gets the rows of all, and the index that tells whose they are; the others get no rows.

use std::sync::atomic::{AtomicI64, Ordering};

use oplink::AsyncKernelContext;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::state::Batch;

use super::call::{Entering, Part, enter, join_rows};
use super::options::Options;
use super::scheduler::Scheduler;
use crate::named::{Unnamed, info};

/// `Batch`.
#[kernel(Batch, device = CPU, async)]
pub fn batch_cpu(run: AsyncKernelContext) {
    enter(run, |run| {
        let node = run.node().clone();
        let resources = run.step()?.resources().clone();
        let (inputs, attrs) = run.arguments::<Batch>()?;
        let options = Options::of_batch(&attrs)?;
        let resource = info(&node, attrs.container, attrs.shared_name, "batch scheduler", Unnamed::NodeName)?;
        let make = || Ok(Scheduler::new(options, FuncAttr::default(), join));
        let scheduler = resources.handle(resource).get_or_create(make)?;
        let (queue, inputs) = (attrs.batching_queue.to_owned(), inputs.in_tensors.to_vec());
        let mut without_rows = inputs.clone();
        without_rows.extend([Tensor::zeros(DType::Int64, [0, 3])?, Tensor::scalar(new_id())]);
        Ok(Entering { scheduler, queue, inputs, captured: Vec::new(), without_rows })
    });
}

/// Joins the calls of a batch.
fn join(_: &FuncAttr, options: &Options, parts: &[Part]) -> Result<Vec<Vec<Tensor>>> {
    let Some(last) = parts.last() else { return Ok(Vec::new()) };
    let mut index = try_vec(parts.len().saturating_mul(3))?;
    let mut ids = try_vec(parts.len())?;
    let mut rows = 0;
    for part in parts {
        let id = new_id();
        index.extend([id, rows as i64, (rows + part.rows) as i64]);
        ids.push(id);
        rows += part.rows;
    }
    let mut all = joined_inputs(options, parts, rows)?;
    all.push(Tensor::from_vec([parts.len(), 3], index)?);
    let mut outputs = try_vec(parts.len())?;
    for (part, id) in parts.iter().zip(ids) {
        let mut of_part = match std::ptr::eq(part, last) {
            true => std::mem::take(&mut all),
            false => {
                let without = part.inputs.iter().map(|input| input.slice(0, 0)).collect::<Result<Vec<_>>>();
                let mut without = without?;
                without.push(Tensor::zeros(DType::Int64, [0, 3])?);
                without
            }
        };
        of_part.push(Tensor::scalar(id));
        outputs.push(of_part);
    }
    Ok(outputs)
}

/// The inputs of all parts, each joined with those at its place in the others, and padded to an allowed size.
pub(super) fn joined_inputs(options: &Options, parts: &[Part], rows: usize) -> Result<Vec<Tensor>> {
    let padding = options.padded(rows).saturating_sub(rows);
    let count = parts.first().map_or(0, |part| part.inputs.len());
    let mut joined = try_vec(count)?;
    for at in 0..count {
        let pieces: Vec<&Tensor> = parts.iter().filter_map(|part| part.inputs.get(at)).collect();
        joined.push(join_rows(&pieces, padding)?);
    }
    Ok(joined)
}

/// A number that no other call has.
fn new_id() -> i64 {
    static NEXT: AtomicI64 = AtomicI64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
