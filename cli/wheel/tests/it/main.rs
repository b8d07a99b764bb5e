//! The crate's tests in one binary.

mod archive;
mod declarations;
mod editable;
mod modules;
mod platform;
mod versions;
