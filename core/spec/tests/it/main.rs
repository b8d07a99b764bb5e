//! The crate's tests in one binary.

// Goldens are written as `r#"…"#` whatever they hold.
#![allow(clippy::needless_raw_string_hashes)]

mod arg_errors;
mod attr_errors;
mod default_errors;
mod dtypes;
mod grammar;
mod mutation;
mod names;
mod op_pieces;
mod op_text;
mod problems;
mod property;
mod proto_errors;
mod tensorflow;
