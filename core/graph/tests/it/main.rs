//! Tests of graphs, import and export, shape inference and sessions, over TensorFlow's op declarations.

#![allow(clippy::needless_raw_string_hashes, reason = "expectations are written so")]

mod fixture;
mod grow;
mod inlining;
mod kernels;
mod load;

mod convert;
mod dataflow;
mod deprecated;
mod devices;
mod import;
mod memory;
mod mutate;
mod names;
mod passes;
mod promises;
mod round_trip;
mod scaling;
mod scope;
mod session;
mod session_errors;
mod shapes;
mod threads;
mod traced;
