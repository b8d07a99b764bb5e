//! The reduction kernels against `../oracle/reduction.txt` and `../oracle/segments.txt`.

use crate::golden::check_all;
use crate::inference::check_shapes;

const CASES: [&str; 2] = [include_str!("../oracle/reduction.txt"), include_str!("../oracle/segments.txt")];

#[test]
fn kernels_compute_what_tensorflow_does() {
    CASES.iter().for_each(|cases| check_all(cases, 1));
}

#[test]
fn threads_change_nothing() {
    CASES.iter().for_each(|cases| check_all(cases, 3));
}

#[test]
fn shapes_are_inferred_as_in_tensorflow() {
    check_shapes(include_str!("../oracle/segments_shapes.txt"));
}
