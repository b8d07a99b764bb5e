//! A shared Rust library that holds the crate and the runtime.

oplink_api::link!(collect_ops);

pub use collect_report::report;
