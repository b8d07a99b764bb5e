//! Distinct elements: each once, counted, or those that others lack.

pub(crate) mod distinct;
pub mod list_diff;
pub mod unique;
mod words;

pub use list_diff::*;
pub use unique::*;
