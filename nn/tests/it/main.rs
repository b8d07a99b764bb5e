//! Values, tapes, traced functions and layers, with the kernels of the facade.

#[macro_use(test)]
extern crate oplink_test_harness;

oplink_test_harness::main!();

mod control_flow;
mod exports;
mod functions;
mod keras;
mod modules;
mod normalizations;
mod tapes;
mod trainer;
mod values;
