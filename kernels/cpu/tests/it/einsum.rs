//! Einsum against `../oracle/einsum.txt`.

use crate::golden::check_all;

const CASES: &str = include_str!("../oracle/einsum.txt");

#[test]
fn sums_of_products_are_those_of_tensorflow() {
    check_all(CASES, 1);
    check_all(CASES, 3);
}
