//! What was found, as a table and as programs that show it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use crate::OpCall;
use crate::checks::Check;
use crate::reproduce::program;

/// What is wrong with an op.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check that found it.
    pub check: Check,
    /// What is wrong.
    pub message: String,
    /// A call that shows it.
    pub call: OpCall,
}

impl Finding {
    /// A program in Rust that runs the call, with these plugins.
    pub fn program(&self, plugins: &[&Path]) -> String {
        program(self, plugins)
    }
}

/// What became of a check.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It looked at so many cases; what was found in some of them.
    Checked {
        /// Cases.
        cases: usize,
        /// The first of what is wrong.
        findings: Vec<Finding>,
    },
    /// There was nothing to look at, for this reason.
    Skipped(String),
}

/// What was found about one op.
#[derive(Clone, Debug)]
pub struct Report {
    /// The op's name.
    pub op: String,
    /// Calls that the kernel took.
    pub samples: usize,
    /// Combinations of dtypes that were called, and those that the kernels declare.
    pub combinations: (usize, usize),
    /// Why there are no samples.
    pub reason: Option<String>,
    /// What became of each check.
    pub checks: BTreeMap<Check, Outcome>,
}

impl Report {
    /// What is wrong.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.checks.values().flat_map(|outcome| match outcome {
            Outcome::Checked { findings, .. } => findings.as_slice(),
            Outcome::Skipped(_) => &[],
        })
    }

    /// Whether a check found something.
    pub fn fails(&self, check: Check) -> bool {
        self.findings().any(|finding| finding.check == check)
    }

    /// For tests.
    ///
    /// # Panics
    /// Something is wrong, or no call was checked; the message is the report.
    #[track_caller]
    pub fn assert(&self) {
        assert!(self.findings().next().is_none() && self.samples > 0, "{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (called, all) = self.combinations;
        writeln!(f, "{}: {} samples, {called} of {all} combinations of dtypes", self.op, self.samples)?;
        if let Some(reason) = &self.reason {
            writeln!(f, "  {reason}")?;
        }
        for (check, outcome) in &self.checks {
            match outcome {
                Outcome::Skipped(reason) => writeln!(f, "  {:<11} -       {reason}", check.name())?,
                Outcome::Checked { cases, findings } => {
                    let verdict = if findings.is_empty() { "ok" } else { "FAILED" };
                    writeln!(f, "  {:<11} {verdict:<7} {cases} cases", check.name())?;
                }
            }
        }
        for finding in self.findings() {
            writeln!(f, "\n{}, {}: {}\n  {}", self.op, finding.check, finding.message, finding.call)?;
        }
        Ok(())
    }
}
