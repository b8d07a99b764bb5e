//! The suites.

mod build;
mod checkpoints;
mod functions;
mod graphs;
mod loops;
mod mutate;
mod run;
pub(crate) mod saves;

use crate::case::{Case, Outcome};

/// Cases of one kind.
pub(crate) struct Suite {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Runs one case.
    pub(crate) run: fn(&mut Case<'_>) -> Result<Outcome, String>,
    /// How many runs with a deadline a case has at most.
    pub(crate) runs: u32,
}

/// All suites.
pub(crate) const SUITES: &[Suite] = &[
    Suite { name: "graphs", run: graphs::run, runs: 1 },
    Suite { name: "loops", run: loops::run, runs: 1 },
    Suite { name: "functions", run: functions::run, runs: 1 },
    Suite { name: "checkpoints", run: checkpoints::run, runs: 1 },
    Suite { name: "saves", run: saves::run, runs: 1 },
];

/// The suite of a name.
pub(crate) fn find(name: &str) -> Option<&'static Suite> {
    SUITES.iter().find(|suite| suite.name == name)
}
