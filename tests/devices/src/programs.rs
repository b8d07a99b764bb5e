//! Programs: ops one after the other that share resources. What the device has no kernel for runs on the host, so that
//! the rest goes on; where the host cannot, because a variable is in the device's memory, the program ends.
//!
//! `# title` begins a program. A line is `names|op|attrs|inputs|outputs|tolerance`, where inputs are tensors or names
//! of earlier outputs, and an output `*` is not looked at. Ops of references are left out: eager calls have none.

use std::collections::HashMap;
use std::sync::Arc;

use oplink::graph::eager::EagerContext;
use oplink::runtime::{Device, Registry, host_device};
use oplink::{Result, Tensor};

use crate::case::{Case, Tolerance, attr, tensor, texts};
use crate::outcome::{Look, Outcome};
use crate::run::{Ran, dtype, tolerance};

/// A program's lines with their numbers.
pub(crate) type Program<'a> = Vec<(usize, &'a str)>;

/// The programs of a file.
pub(crate) fn programs_of(text: &str) -> Vec<Program<'_>> {
    let mut programs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("# ") {
            programs.push(Program::new());
        } else if let Some(program) = programs.last_mut() {
            program.push((number + 1, line));
        }
    }
    programs
}

/// Runs a program.
///
/// # Errors
/// There is no host.
pub(crate) fn run(
    registry: &Arc<Registry>,
    device: &Arc<dyn Device>,
    file: &str,
    program: &Program<'_>,
) -> Result<Vec<Ran>> {
    let (host, mut made, mut rans) = (host_device()?, HashMap::new(), Vec::new());
    let context = EagerContext::new(registry.clone(), host.clone());
    for &(number, line) in program {
        let [names, op, attrs, inputs, outputs, epsilons] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("{file}, line {number}: {line}")
        };
        let input = |text: &str| match text.split_once('[') {
            Some(_) => Some(tensor(text)),
            None => made.get(text).cloned(),
        };
        let inputs: Option<Vec<Tensor>> = texts(inputs).map(input).collect();
        let (Some(inputs), false) = (inputs, has_references(registry, op)) else { continue };
        let shown: Vec<bool> = texts(outputs).map(|output| output != "*").collect();
        let expected = texts(outputs).filter(|output| *output != "*");
        let expected = outputs.strip_prefix('!').map_or_else(|| Ok(expected.map(tensor).collect()), Err);
        let attrs = texts(attrs).map(attr).collect();
        let tolerance = tolerance(device, Tolerance::read(epsilons));
        let case = Case { op, attrs, inputs, expected, tolerance };
        let (outcome, outputs) = call(&context, device, &host, &case, &shown);
        let place = (file.to_owned(), number);
        rans.push(Ran { place, op: op.to_owned(), dtype: dtype(&case), outcome });
        let Some(outputs) = outputs else { break };
        made.extend(texts(&names.replace(',', ";")).map(str::to_owned).zip(outputs));
    }
    Ok(rans)
}

fn has_references(registry: &Registry, op: &str) -> bool {
    let of = |op: &oplink::runtime::OpEntry| op.spec.inputs.iter().chain(&op.spec.outputs).any(|arg| arg.is_ref);
    registry.get_op(op).is_none_or(of)
}

/// The outcome on the device, and the outputs there, or those on the host where the device has no kernel; `None` where
/// the host does not compute what it should either.
fn call(
    context: &EagerContext,
    device: &Arc<dyn Device>,
    host: &Arc<dyn Device>,
    case: &Case<'_>,
    shown: &[bool],
) -> (Outcome, Option<Vec<Tensor>>) {
    let inputs: Vec<&Tensor> = case.inputs.iter().collect();
    let call = |device| Ok(context.call_on(device, case.op, &inputs, &case.attrs)?.values.to_vec());
    let outputs: Result<Vec<Tensor>> = call(device);
    let seen = outputs.clone().and_then(|outputs| {
        let is_shown = |index: usize| outputs.len() != shown.len() || shown[index];
        let seen = outputs.iter().enumerate().filter(|(index, _)| is_shown(*index));
        seen.map(|(_, output)| context.to_host(output)).collect()
    });
    let seen = match (seen, device.context().map_or(Ok(()), |queue| queue.synchronize())) {
        (Ok(_), Err(error)) => Err(error),
        (seen, _) => seen,
    };
    let outcome = Outcome::of(case, seen, Look::Everything);
    let outputs = match &outcome {
        Outcome::Failed(reason, _) if reason.is_no_kernel() => match call(host) {
            Err(_) if case.expected.is_ok() => None,
            outputs => Some(outputs.unwrap_or_default()),
        },
        _ => Some(outputs.unwrap_or_default()),
    };
    (outcome, outputs)
}
