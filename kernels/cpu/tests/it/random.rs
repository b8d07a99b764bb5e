//! The random kernels against `../oracle/random.txt` and, for several runs of a node, `../oracle/random_runs.txt`.

use crate::golden::{check_all, check_runs};

const CASES: &str = include_str!("../oracle/random.txt");
const RUNS: &str = include_str!("../oracle/random_runs.txt");

#[test]
fn kernels_draw_what_tensorflow_does() {
    check_all(CASES, 1);
}

#[test]
fn runs_go_on_where_the_last_one_ended() {
    check_runs(RUNS, 1);
}

#[test]
fn threads_change_nothing() {
    check_all(CASES, 3);
    check_runs(RUNS, 3);
}
