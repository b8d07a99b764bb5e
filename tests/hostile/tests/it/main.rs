//! A short run of each suite.

mod deadlines;
mod memory;
mod refusals;
mod suites;

#[macro_use(test)]
extern crate oplink_test_harness;

oplink_test_harness::main!();

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held by tests that measure time: they run one after the other.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
