//! Staging areas: several tensors that some nodes put in and others take out, within a process.

mod buffer;
mod limits;
mod map;
#[cfg(test)]
mod tests;

pub use buffer::*;
pub use map::*;
