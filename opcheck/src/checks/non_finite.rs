//! Numbers that are not finite, and the smallest and largest.

use oplink_api::Tensor;

use super::determinism::{another, twice};
use super::{Applicable, Findings, Subject};
use crate::runner::{Threads, is_fault};
use crate::values::{doubles, from_doubles, is_float};

const NUMBERS: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    let is_deterministic = subject.is_deterministic().is_ok();
    for call in subject.calls() {
        for (at, input) in call.inputs.iter().enumerate().filter(|(_, input)| is_float(input.dtype())) {
            for number in NUMBERS {
                let Some(changed) = with_first(input, number) else { continue };
                let call = call.with_input(at, changed);
                let wrong = match twice(subject, &call, [Threads::All, Threads::All]) {
                    Err(error) => is_fault(&error).then(|| error.to_string()),
                    Ok([first, second]) if is_deterministic => another(&first, &second, "a second time"),
                    Ok(_) => None,
                };
                findings.add(&call, wrong);
            }
        }
    }
    Ok(())
}

/// The tensor with another first element.
fn with_first(input: &Tensor, first: f64) -> Option<Tensor> {
    let mut numbers = doubles(input)?;
    *numbers.first_mut()? = first;
    from_doubles(input.dtype(), input.shape(), &numbers)
}
