//! Suites of hostile input. Each case runs in a process that may die of it, under a limit of memory and a deadline; a
//! record names what failed, and how it is run again.
//!
//! `random` draws, `suite` is what a suite of cases is, `worker` the process that runs them, `supervisor` the one that
//! watches it, `report` what it found. `ops` is the suite of single ops;
//! cases of `graphs` and `files` are functions of random numbers alone (`drawn`).
#![forbid(unsafe_code)]

mod drawn;
pub mod files;
mod graphs;
pub mod ops;
pub mod random;
pub mod report;
pub mod suite;
pub mod supervisor;
pub mod worker;

/// The suites by name.
pub const SUITES: &[(&str, suite::Open)] = &[
    ("ops", ops::open),
    ("graphs", graphs::open_stored),
    ("loops", graphs::open_loops),
    ("functions", graphs::open_functions),
    ("checkpoints", files::open_checkpoints),
    ("saved_models", files::open_saved_models),
    ("saves", files::open_saves),
];
