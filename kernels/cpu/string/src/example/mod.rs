//! The features of `Example` messages as tensors.

mod columns;
mod message;
pub mod parse_example;

pub use parse_example::*;
