//! The same call again, on one thread and on several.

use oplink_api::{Result, Tensor};

use super::{Applicable, Findings, Subject};
use crate::OpCall;
use crate::runner::Threads;
use crate::values::is_same;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    subject.is_deterministic()?;
    for call in subject.calls() {
        let both = twice(subject, call, [Threads::All, Threads::All]);
        let Some([first, second]) = findings.expect(call, both) else { continue };
        findings.add(call, another(&first, &second, "a second time"));
    }
    Ok(())
}

pub(super) fn check_threads(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    subject.is_deterministic()?;
    for call in subject.samples.calls.iter().chain(&subject.samples.large) {
        let both = twice(subject, call, [Threads::One, Threads::All]);
        let Some([one, all]) = findings.expect(call, both) else { continue };
        findings.add(call, another(&one, &all, "on several threads"));
    }
    Ok(())
}

/// Outputs of a call that is run twice.
pub(super) fn twice(subject: &Subject<'_>, call: &OpCall, threads: [Threads; 2]) -> Result<[Vec<Tensor>; 2]> {
    Ok([subject.runner.run(call, threads[0])?, subject.runner.run(call, threads[1])?])
}

/// How the second outputs are others than the first.
pub(super) fn another(first: &[Tensor], second: &[Tensor], when: &str) -> Option<String> {
    let mut both = first.iter().zip(second).enumerate();
    let at = both.find(|(_, (first, second))| !is_same(first, second).unwrap_or(false));
    at.map(|(at, _)| format!("output {at} is another {when}"))
}
