//! The optimisers against the programs in `../oracle/training.txt`.

use crate::program::check_programs;

const PROGRAMS: &str = include_str!("../oracle/training.txt");

#[test]
fn optimisers_step_as_in_tensorflow() {
    check_programs(PROGRAMS, 1);
}
