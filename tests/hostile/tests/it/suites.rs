//! A short run of each suite; a longer one where there are minutes for it, and the whole where there are many.

use std::path::PathBuf;
use std::time::Duration;

use oplink_hostile::report::Report;
use oplink_hostile::supervisor::{Options, run};
use oplink_test_harness::Requirement;

/// The time of a short run.
const SHORT: Duration = Duration::from_secs(4);

fn check(suite: &str, cases: u64, time: Duration) {
    let time = match (Requirement::Slow.missing(), Requirement::Long.missing()) {
        (_, None) => time,
        (None, _) => time / 3,
        _ => SHORT,
    };
    let report = run_suite(suite, 1, 0, cases, time);
    assert!(report.cases() > 10, "{report}");
}

/// Runs cases, of which none may fail.
fn run_suite(suite: &str, seed: u64, first: u64, cases: u64, time: Duration) -> Report {
    let _alone = crate::alone();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{suite}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_oplink-hostile"));
    let options = Options { suite: suite.to_owned(), seed, first, cases, time, program, folder };
    let report = run(&options).unwrap();
    println!("{suite}: {report}");
    assert!(report.failures.is_empty(), "{report}");
    report
}

#[test]
fn values_that_come_twice_count_once() {
    for case in [1449, 3654] {
        run_suite("loops", 20_261_123, case, 1, SHORT);
    }
}

#[test]
fn no_op_aborts_hangs_or_panics_whatever_it_is_given() {
    check("ops", 20_000, Duration::from_secs(75));
}

#[test]
fn graphs_with_wrong_bytes_and_fields_are_refused_or_run() {
    check("graphs", u64::MAX, Duration::from_secs(40));
}

#[test]
fn loops_with_mistakes_are_refused_or_end_at_their_deadline() {
    check("loops", u64::MAX, Duration::from_secs(30));
}

#[test]
fn functions_that_call_each_other_end_at_their_deadline() {
    check("functions", u64::MAX, Duration::from_secs(30));
}

#[test]
fn damaged_checkpoints_give_what_was_saved_or_an_error() {
    check("checkpoints", u64::MAX, Duration::from_secs(15));
}

#[test]
fn damaged_saved_models_are_refused_or_run() {
    check("saved_models", u64::MAX, Duration::from_secs(30));
}

#[test]
fn a_save_that_is_killed_leaves_values_of_one_save_or_an_error() {
    check("saves", u64::MAX, Duration::from_secs(15));
}
