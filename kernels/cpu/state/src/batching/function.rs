//! `BatchFunction`: calls a function with the rows of several calls. Every dtype.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::{AsyncKernelContext, Cancellation, CancellationCallback};
use oplink_ops::state::BatchFunction;

use super::batch::joined_inputs;
use super::call::{Entering, Part, enter};
use super::options::Options;
use super::scheduler::Scheduler;
use crate::named::{Unnamed, info};

/// `BatchFunction`.
#[kernel(BatchFunction, device = CPU, async)]
pub fn batch_function_cpu(run: AsyncKernelContext) {
    enter(run, |run| {
        let node = run.node().clone();
        let resources = run.step()?.resources().clone();
        let (inputs, attrs) = run.arguments::<BatchFunction>()?;
        let options = Options::of_function(&attrs)?;
        let resource = info(&node, attrs.container, attrs.shared_name, "batch scheduler", Unnamed::NodeName)?;
        let make = || Ok(Scheduler::new(options, attrs.f.clone(), call));
        let scheduler = resources.handle(resource).get_or_create(make)?;
        let (inputs, captured) = (inputs.in_tensors.to_vec(), inputs.captured_tensors.to_vec());
        let without_rows = node.output_dtypes.iter().map(|&dtype| Tensor::zeros(dtype, [0])).collect::<Result<_>>()?;
        Ok(Entering { scheduler, queue: attrs.batching_queue.to_owned(), inputs, captured, without_rows })
    });
}

/// Calls the function for all parts, in a step of the session that ends when nobody waits for a part any more.
fn call(function: &FuncAttr, options: &Options, parts: &[Part]) -> Result<Vec<Vec<Tensor>>> {
    let Some(last) = parts.last() else { return Ok(Vec::new()) };
    let rows = parts.iter().map(|part| part.rows).sum();
    let mut arguments = joined_inputs(options, parts, rows)?;
    arguments.extend_from_slice(&last.call.captured);
    let cancellation = Cancellation::default();
    let _watches = end_with_all(&cancellation, parts);
    let step = last.call.step.detach(cancellation).begin()?;
    let function = step.function(function)?;
    let takes = function.input_dtypes();
    let given = || arguments.iter().map(Tensor::dtype);
    if !given().eq(takes.iter().copied()) {
        let list = |dtypes: &mut dyn Iterator<Item = DType>| dtypes.map(DType::name).collect::<Vec<_>>().join(", ");
        let (takes, given) = (list(&mut takes.iter().copied()), list(&mut given()));
        bail!("function `{}` takes ({takes}), the inputs and captured tensors are ({given})", function.name());
    }
    let mut results = Vec::new();
    function.call(&step, &mut arguments.drain(..), &mut results)?;
    part_results(&results, options.padded(rows), parts)
}

/// Cancels when the steps of all parts are cancelled.
fn end_with_all(cancellation: &Cancellation, parts: &[Part]) -> Vec<CancellationCallback> {
    let left = Arc::new(AtomicUsize::new(parts.len()));
    let watch = |part: &Part| {
        let of_part = part.call.step.cancellation();
        let (left, all, reason) = (left.clone(), cancellation.clone(), of_part.clone());
        of_part.on_cancel(move || {
            if left.fetch_sub(1, Ordering::AcqRel) == 1 {
                all.cancel(reason.reason());
            }
        })
    };
    parts.iter().map(watch).collect()
}

/// The rows of each part.
fn part_results(results: &[Tensor], rows: usize, parts: &[Part]) -> Result<Vec<Vec<Tensor>>> {
    for (at, result) in results.iter().enumerate() {
        if result.shape().first() != Some(&rows) {
            let message = format!(
                "result {at} of the function must have the {rows} rows of the batch, it has the shape {}",
                result.shape()
            );
            return Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message));
        }
    }
    let mut parted = try_vec(parts.len())?;
    let mut first = 0;
    for part in parts {
        let range = (first, first + part.rows);
        parted.push(results.iter().map(|result| result.slice(range.0, range.1)).collect::<Result<Vec<_>>>()?);
        first = range.1;
    }
    Ok(parted)
}
