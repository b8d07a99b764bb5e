//! Graphs: stored ones that are changed, loops with mistakes, functions that call each other.

mod functions;
mod loops;
pub(crate) mod mutate;
mod nodes;
mod run;
mod stored;

use crate::drawn;
use crate::suite::Suite;

/// Real graphs, changed in their bytes or in their fields.
pub(crate) fn open_stored(seed: u64) -> Box<dyn Suite> {
    drawn::open(seed, stored::run)
}

/// Loops of single nodes.
pub(crate) fn open_loops(seed: u64) -> Box<dyn Suite> {
    drawn::open(seed, loops::run)
}

/// Functions that call each other.
pub(crate) fn open_functions(seed: u64) -> Box<dyn Suite> {
    drawn::open(seed, functions::run)
}
