//! Memory that is held, given away, or the same for two inputs.

use oplink_api::{Result, Tensor};

use super::{Applicable, Findings, Subject};
use crate::OpCall;
use crate::runner::Threads;
use crate::values::is_same;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    for call in subject.calls() {
        let wrong = held(subject, call);
        let wrong = findings.expect(call, wrong);
        findings.add(call, wrong.flatten());
        if subject.is_deterministic().is_err() {
            continue;
        }
        for (what, others) in [("given away", given(subject, call)), ("the same tensor", same(subject, call))] {
            match others {
                Ok(None) => {}
                Ok(Some((have, want))) => {
                    let wrong = difference(&have, &want).transpose();
                    let wrong = wrong.map(|at| {
                        at.map_or_else(
                            |e| e.to_string(),
                            |at| format!("output {at} is another where inputs are {what}"),
                        )
                    });
                    findings.add(call, wrong);
                }
                Err(error) => findings.add(call, Some(format!("where inputs are {what}: {error}"))),
            }
        }
    }
    Ok(())
}

/// Whether an input changes that the caller holds.
fn held(subject: &Subject<'_>, call: &OpCall) -> Result<Option<String>> {
    let copies = call.inputs.iter().map(Tensor::deep_copy).collect::<Result<Vec<_>>>()?;
    subject.runner.run(call, Threads::All)?;
    let changed = difference(&call.inputs, &copies)?;
    Ok(changed.map(|at| format!("the kernel changed input {at}, which the caller holds")))
}

/// Outputs where the kernel may use the memory of the inputs, and where it may not.
fn given(subject: &Subject<'_>, call: &OpCall) -> Result<Option<(Vec<Tensor>, Vec<Tensor>)>> {
    Ok(Some((subject.runner.run_giving(call)?, subject.runner.run(call, Threads::All)?)))
}

/// Outputs where two inputs are one tensor, and where they are copies of it; nothing where no two may be.
fn same(subject: &Subject<'_>, call: &OpCall) -> Result<Option<(Vec<Tensor>, Vec<Tensor>)>> {
    let inputs = &call.inputs;
    let fits = |a: usize, b: usize| (inputs[a].dtype(), inputs[a].shape()) == (inputs[b].dtype(), inputs[b].shape());
    let pair = (1..inputs.len()).flat_map(|b| (0..b).map(move |a| (a, b))).find(|&(a, b)| fits(a, b));
    let Some((a, b)) = pair else { return Ok(None) };
    let shared = call.with_input(b, inputs[a].clone());
    let copied = call.with_input(b, inputs[a].deep_copy()?);
    match (subject.runner.run(&shared, Threads::All), subject.runner.run(&copied, Threads::All)) {
        (Ok(shared), Ok(copied)) => Ok(Some((shared, copied))),
        // The values do not go together.
        (Err(_), Err(_)) => Ok(None),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}

/// The first tensor that is another.
fn difference(have: &[Tensor], want: &[Tensor]) -> Result<Option<usize>> {
    for (at, (have, want)) in have.iter().zip(want).enumerate() {
        if !is_same(have, want)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
