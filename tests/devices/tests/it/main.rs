//! Every device against what TensorFlow computes; faults of devices, and networks on several.

#[macro_use(test)]
extern crate oplink_test_harness;

#[allow(dead_code, reason = "shared with the tests of the whole")]
#[path = "../../../it/arrays.rs"]
mod arrays;
mod eager;
mod ended;
mod faults;
mod hung;
mod models;
mod page;
mod suite;

oplink_test_harness::main!();
