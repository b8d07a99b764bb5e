//! What a run of a suite found.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// How a case failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// The process died.
    Abort,
    /// The case did not end within a second after its deadline.
    Hang,
    /// Something panicked.
    Panic,
    /// The process held much more memory than its limit.
    Memory,
    /// An answer was wrong.
    Wrong,
}

/// A case that failed.
#[derive(Clone, Debug)]
pub struct Record {
    /// How.
    pub failure: Failure,
    /// The suite's name.
    pub suite: String,
    /// The seed of the run.
    pub seed: u64,
    /// The case's number.
    pub case: u64,
    /// What ran.
    pub description: String,
    /// What the process said: a panic's message, the last lines of its errors, how it died.
    pub message: String,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { failure, suite, seed, case, description, message } = self;
        writeln!(f, "{failure:?}: {description}")?;
        writeln!(f, "    {message}")?;
        write!(f, "    again: cargo run -p oplink-hostile -- {suite} --seed {seed} --from {case} --cases 1")
    }
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Cases by how they ended.
    pub outcomes: BTreeMap<String, u64>,
    /// The cases that failed.
    pub failures: Vec<Record>,
    /// Cases that ended more than a tenth of a second after their deadlines, by how much.
    pub late: Vec<(Duration, String)>,
    /// The number of the next case.
    pub next: u64,
    /// A case that did not end in time once.
    pub tried: Option<u64>,
}

impl Report {
    /// The number of cases.
    pub fn cases(&self) -> u64 {
        self.outcomes.values().sum()
    }

    /// The failures of a kind.
    pub fn count(&self, failure: Failure) -> usize {
        self.failures.iter().filter(|record| record.failure == failure).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failures.iter().try_for_each(|record| writeln!(f, "{record}"))?;
        let mut late: Vec<_> = self.late.iter().collect();
        late.sort_by_key(|(by, _)| std::cmp::Reverse(*by));
        for (by, description) in late.iter().take(20) {
            writeln!(f, "late by {} ms: {description}", by.as_millis())?;
        }
        let kinds = [Failure::Abort, Failure::Hang, Failure::Panic, Failure::Memory, Failure::Wrong];
        let kinds = kinds.map(|kind| format!("{kind:?} {}", self.count(kind))).join(", ");
        write!(f, "{} cases: {kinds}; late {}; {:?}", self.cases(), self.late.len(), self.outcomes)
    }
}
