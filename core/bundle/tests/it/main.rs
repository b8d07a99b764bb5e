//! Tests of checkpoints: against files that TensorFlow wrote, against damage, and against failures in between.

#[macro_use(test)]
extern crate oplink_test_harness;

mod atomic;
mod cases;
mod damage;
mod either;
mod files;
mod fixtures;
mod forged;
mod merge;
mod slices;
mod tensorflow;
mod v1;

oplink_test_harness::main!();
