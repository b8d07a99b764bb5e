//! Elements told apart: each once, counted, or those that others lack.

pub(crate) mod distinct;
pub mod list_diff;
pub mod unique;
pub mod unique_with_counts;
mod words;

pub use list_diff::*;
pub use unique::*;
pub use unique_with_counts::*;
