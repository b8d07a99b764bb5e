//! The array kernels against `../oracle/array.txt` and `../oracle/array_*.txt`.

use crate::golden::check_all;
use crate::inference::check_shapes;

const CASES: [&str; 3] = [
    include_str!("../oracle/array.txt"),
    include_str!("../oracle/array_indices.txt"),
    include_str!("../oracle/array_layout.txt"),
];

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
    check_shapes(include_str!("../oracle/array_shapes.txt"));
}
