//! The elementwise kernels against `../oracle/math.txt`.

use crate::golden::check_all;

const CASES: &str = include_str!("../oracle/math.txt");

#[test]
fn kernels_compute_what_tensorflow_does() {
    check_all(CASES, 1);
}
