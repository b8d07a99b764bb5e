//! Tests of the whole system, through the facade.
//!
//! Tests that build other programs, or need models larger than the repository holds, are ignored where `OPLINK_SLOW` or
//! `OPLINK_MODELS` is not set.

#[macro_use(test)]
extern crate oplink_test_harness;

mod allocations;
mod arrays;
mod collectors;
mod counting;
mod formulas;
mod functions;
mod fused_errors;
mod fusions;
mod memory;
mod models;
mod saved_models;
mod shapes;
mod size;
mod soak;
mod thread_counts;
mod typed_calls;

oplink_test_harness::main!();

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;
