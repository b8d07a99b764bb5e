//! Runs all cases on a device.

use std::sync::Arc;

use oplink::core::{Device, Registry};
use oplink::graph::eager::EagerContext;
use oplink::{Result, Tensor};

use crate::case::Case;
use crate::outcome::{Look, Outcome};
use crate::sources::{Source, sources};

/// What became of all cases.
#[derive(Debug)]
pub struct Report {
    /// The device's type.
    pub device_type: String,
    /// In the order of the files.
    pub cases: Vec<Ran>,
}

/// What became of a case.
#[derive(Debug)]
pub struct Ran {
    /// The file's name, and the line.
    pub place: (String, usize),
    /// The op.
    pub op: String,
    /// The dtype of the first input; of the first output where there is none; `-` where there is neither.
    pub dtype: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// Calls each case's op on one of the devices, which are of one type, with kernels and resources of its own. The devices
/// work at the same time.
///
/// # Errors
/// The declarations that are linked conflict.
///
/// # Panics
/// There is no device.
pub fn run(devices: &[Arc<dyn Device>]) -> Result<Report> {
    let (registry, sources) = (Registry::global()?, sources());
    let lines: Vec<Line<'_>> = sources.iter().flat_map(lines_of).collect();
    let of_device = |at: usize| lines.iter().skip(at).step_by(devices.len());
    let mut ran: Vec<Vec<Ran>> = std::thread::scope(|scope| {
        let run =
            |(at, device)| scope.spawn(move || of_device(at).map(|line| run_one(registry, device, *line)).collect());
        let threads: Vec<_> = devices.iter().enumerate().map(run).collect();
        threads.into_iter().map(|thread| thread.join().expect("a panic of the runtime")).collect()
    });
    let mut cases: Vec<Ran> = ran.drain(..).flatten().collect();
    cases.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(Report { device_type: devices[0].device_type().to_owned(), cases })
}

/// A case's file, number and text.
type Line<'a> = (&'a str, usize, &'a str);

fn lines_of(source: &Source) -> impl Iterator<Item = Line<'_>> {
    source.text.lines().enumerate().map(|(number, line)| (&*source.name, number + 1, line))
}

fn run_one(registry: &Arc<Registry>, device: &Arc<dyn Device>, (file, number, line): Line<'_>) -> Ran {
    let look = if device.device_type() == "NULL" { Look::Shapes } else { Look::Everything };
    let case = Case::read(line);
    let outcome = Outcome::of(&case, call(registry, device, &case), look);
    Ran { place: (file.to_owned(), number), op: case.op.to_owned(), dtype: dtype(&case), outcome }
}

/// The outputs on the host. An error that a device tells later, when its work is done, is the call's too.
fn call(registry: &Arc<Registry>, device: &Arc<dyn Device>, case: &Case<'_>) -> Result<Vec<Tensor>> {
    let context = EagerContext::new(registry.clone(), device.clone());
    let inputs: Vec<&Tensor> = case.inputs.iter().collect();
    let outputs = context.call_on(device, case.op, &inputs, &case.attrs);
    let outputs = outputs.and_then(|outputs| outputs.values.iter().map(|output| context.to_host(output)).collect());
    match (outputs, device.context().map_or(Ok(()), |queue| queue.synchronize())) {
        (Ok(_), Err(error)) => Err(error),
        (outputs, _) => outputs,
    }
}

fn dtype(case: &Case<'_>) -> String {
    let first = case.inputs.first().or_else(|| case.expected.as_ref().ok()?.first());
    first.map_or_else(|| "-".to_owned(), |tensor| tensor.dtype().to_string())
}
