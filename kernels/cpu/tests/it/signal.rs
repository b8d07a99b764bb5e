//! The signal kernels against `../oracle/signal.txt`.

use crate::golden::check_all;

const CASES: &str = include_str!("../oracle/signal.txt");

#[test]
fn kernels_compute_what_tensorflow_does() {
    check_all(CASES, 1);
}

#[test]
fn threads_change_nothing() {
    check_all(CASES, 3);
}
