//! Handlers called as XLA calls them.

extern crate oplink_api as oplink;

mod allocations;
mod calls;
mod frame;
mod ops;
