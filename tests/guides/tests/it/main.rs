//! The guides, run as they stand; and what the book says of itself.

#[macro_use(test)]
extern crate oplink_test_harness;

mod book;
mod guides;

oplink_test_harness::main!();
