//! The harness, on tests of its own that it runs in other processes.

#[macro_use(test)]
extern crate oplink_test_harness;

mod processes;
mod samples;

oplink_test_harness::main!();
