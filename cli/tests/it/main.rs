//! Tests of the command: the binary is run as a user runs it.

#[macro_use(test)]
extern crate oplink_test_harness;

mod command;
mod devices;
mod errors;
#[path = "../../../tests/it/saved_models/expected.rs"]
mod expected;
mod freezing;
mod listing;
mod making;
mod opcheck;
mod plugins;
mod running;
mod saved_models;
mod selecting;
#[path = "../../../tests/it/saved_models/training.rs"]
mod training;
mod wheel;

oplink_test_harness::main!();
