//! Einsum against `../oracle/einsum.txt`.

use crate::golden::check_all;
use crate::inference::check_shapes;

const CASES: &str = include_str!("../oracle/einsum.txt");

#[test]
fn sums_of_products_are_those_of_tensorflow() {
    check_all(CASES, 1);
    check_all(CASES, 3);
}

#[test]
fn shapes_are_inferred_as_in_tensorflow() {
    check_shapes(include_str!("../oracle/einsum_shapes.txt"));
}
