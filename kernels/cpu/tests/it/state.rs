//! The kernels of resources and of variants against the programs in `../oracle/state_*.txt`.

use crate::inference::check_shapes;
use crate::program::check_programs;

#[test]
#[cfg(all(feature = "array", feature = "math"))]
fn shapes() {
    check_shapes(include_str!("../oracle/state_shapes.txt"));
}

#[test]
fn shapes_of_arrays_queues_and_tables() {
    check_shapes(include_str!("../oracle/state_resource_shapes.txt"));
}

#[test]
fn shapes_of_slices() {
    check_shapes(include_str!("../oracle/state_slice_shapes.txt"));
}

#[test]
fn slices() {
    check_programs(include_str!("../oracle/state_slices.txt"), 1);
}

#[test]
fn variables() {
    check_programs(include_str!("../oracle/state_variables.txt"), 1);
}

#[test]
#[cfg(all(feature = "array", feature = "math"))]
fn lists_and_optionals() {
    check_programs(include_str!("../oracle/state_lists.txt"), 1);
}

#[test]
fn arrays_and_stacks() {
    check_programs(include_str!("../oracle/state_arrays.txt"), 1);
}

#[test]
fn queues() {
    check_programs(include_str!("../oracle/state_queues.txt"), 1);
}

#[test]
fn tables() {
    check_programs(include_str!("../oracle/state_tables.txt"), 1);
}
