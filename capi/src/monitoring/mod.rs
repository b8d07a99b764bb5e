//! Counters, gauges and histograms that a client keeps in this process.
//!
//! A metric is an object of its own, also where another one has its name: nothing here collects them.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod cells;
mod histogram;
mod metric;
pub mod metrics;
