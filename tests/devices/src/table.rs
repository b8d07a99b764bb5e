//! A report as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::outcome::{Outcome, Reason};
use crate::run::{Ran, Report};

/// A file's row: cases, those that passed, those that failed by reason.
#[derive(Default)]
struct Row {
    cases: usize,
    passed: usize,
    failed: BTreeMap<Reason, usize>,
}

impl Row {
    fn add(&mut self, ran: &Ran) {
        self.cases += 1;
        match &ran.outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed(reason, _) => *self.failed.entry(reason.clone()).or_default() += 1,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rows, mut all) = (BTreeMap::<&str, Row>::new(), Row::default());
        for ran in &self.cases {
            rows.entry(&ran.place.0).or_default().add(ran);
            all.add(ran);
        }
        let reasons: BTreeSet<Reason> = all.failed.keys().cloned().collect();
        let titles: Vec<String> = reasons.iter().map(Reason::to_string).collect();
        write!(f, "{:<16} {:>6} {:>6}", self.kind, "cases", "passed")?;
        titles.iter().try_for_each(|title| write!(f, "  {title}"))?;
        for (name, row) in rows.iter().map(|(name, row)| (*name, row)).chain([("all", &all)]) {
            write!(f, "\n{name:<16} {:>6} {:>6}", row.cases, row.passed)?;
            for (reason, title) in reasons.iter().zip(&titles) {
                write!(f, "  {:>1$}", row.failed.get(reason).copied().unwrap_or(0), title.len())?;
            }
        }
        Ok(())
    }
}
