//! Runs all cases on a device.

use std::sync::Arc;

use oplink::graph::eager::EagerContext;
use oplink::runtime::{Device, Registry};
use oplink::{Result, Tensor};

use crate::case::{Case, Tolerance};
use crate::kind;
use crate::outcome::{Look, Outcome};
use crate::programs::{self, Program, programs_of};
use crate::sources::{Source, sources};

/// How far results of GPUs may be from TensorFlow's, in units of the dtype's epsilon, where a case asks for less: their
/// functions are less exact, and sums go another way.
const GPU_EPSILONS: f64 = 256.0;

/// What became of all cases.
#[derive(Debug)]
pub struct Report {
    /// The device's [`kind`].
    pub kind: String,
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

/// Calls each case's op on one of the devices, which are of one type, with kernels and resources of its own. The
/// devices work at the same time.
///
/// # Errors
/// The declarations that are linked conflict.
///
/// # Panics
/// There is no device, or a file of cases is malformed.
pub fn run(devices: &[Arc<dyn Device>]) -> Result<Report> {
    let (registry, sources) = (Registry::global()?, sources());
    let works: Vec<Work<'_>> = sources.iter().flat_map(works_of).collect();
    let of_device = |at: usize| works.iter().skip(at).step_by(devices.len());
    let ran: Vec<Result<Vec<Vec<Ran>>>> = std::thread::scope(|scope| {
        let run = |(at, device)| scope.spawn(move || of_device(at).map(|work| work.run(registry, device)).collect());
        let threads: Vec<_> = devices.iter().enumerate().map(run).collect();
        threads.into_iter().map(|thread| thread.join().expect("a panic of the runtime")).collect()
    });
    let ran = ran.into_iter().collect::<Result<Vec<_>>>()?;
    let mut cases: Vec<Ran> = ran.into_iter().flatten().flatten().collect();
    cases.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(Report { kind: kind(&devices[0]), cases })
}

/// What one device runs in one go.
enum Work<'a> {
    /// The file, the number and the text of a line.
    Case(&'a str, usize, &'a str),
    Program(&'a str, Program<'a>),
}

fn works_of(source: &Source) -> Vec<Work<'_>> {
    match source.text.starts_with("# ") {
        true => programs_of(&source.text).into_iter().map(|program| Work::Program(&source.name, program)).collect(),
        false => {
            let lines = source.text.lines().enumerate();
            lines.map(|(number, line)| Work::Case(&source.name, number + 1, line)).collect()
        }
    }
}

impl Work<'_> {
    fn run(&self, registry: &Arc<Registry>, device: &Arc<dyn Device>) -> Result<Vec<Ran>> {
        let is_null = device.device_type() == "NULL";
        match self {
            // Nothing is computed, so there is nothing to share.
            Self::Program(..) if is_null => Ok(Vec::new()),
            Self::Program(file, program) => programs::run(registry, device, file, program),
            Self::Case(file, number, line) => {
                let look = if is_null { Look::Shapes } else { Look::Everything };
                let mut case = Case::read(line);
                case.tolerance = tolerance(device, case.tolerance);
                let outcome = Outcome::of(&case, call(registry, device, &case), look);
                let (place, op) = (((*file).to_owned(), *number), case.op.to_owned());
                Ok(vec![Ran { place, op, dtype: dtype(&case), outcome }])
            }
        }
    }
}

/// The tolerance of a case on a device.
pub(crate) fn tolerance(device: &Arc<dyn Device>, given: Tolerance) -> Tolerance {
    match device.device_type() {
        "GPU" => Tolerance { epsilons: given.epsilons.max(GPU_EPSILONS), ..given },
        _ => given,
    }
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

pub(crate) fn dtype(case: &Case<'_>) -> String {
    let first = case.inputs.first().or_else(|| case.expected.as_ref().ok()?.first());
    first.map_or_else(|| "-".to_owned(), |tensor| tensor.dtype().to_string())
}
