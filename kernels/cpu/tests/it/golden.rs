//! Runs the kernels on files of cases, and compares.

use std::fmt::Write as _;

#[cfg(feature = "random")]
use oplink_cpu_support::testing::run_times;
use oplink_cpu_support::testing::{Threads, run_in};

use crate::case::Case;
#[cfg(feature = "random")]
use crate::case::{Tolerance, compare};

/// Checks every case on so many threads.
///
/// # Panics
/// Where one differs, listing all that do.
pub(crate) fn check_all(cases: &str, threads: usize) {
    let mut failures = String::new();
    for (number, line) in cases.lines().enumerate() {
        let mut case = Case::read(line);
        let inputs = std::mem::take(&mut case.inputs);
        if let Err(why) = case.check(run_in(&Threads(threads), case.op, &case.attrs, inputs)) {
            let head: String = line.chars().take(160).collect();
            writeln!(failures, "line {}: {head}\n    {why}", number + 1).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// As [`check_all`], for cases whose outputs are those of the first, the second, … run of one kernel with one output.
///
/// # Panics
/// Where one differs.
#[cfg(feature = "random")]
pub(crate) fn check_runs(cases: &str, threads: usize) {
    for line in cases.lines() {
        let Case { op, attrs, inputs, expected, tolerance } = Case::read(line);
        let (expected, each) = (expected.unwrap(), Tolerance { each: true, ..tolerance });
        let runs = run_times(&Threads(threads), op, &attrs, &inputs, expected.len()).unwrap();
        for (run, (actual, expected)) in runs.iter().zip(&expected).enumerate() {
            if let Err(why) = compare(&actual[0], expected, each) {
                panic!("run {run} of {op}: {why}");
            }
        }
    }
}
