//! Barriers: elements whose components come one by one under a key, and leave when they are whole.

mod create;
mod elements;
mod run;
#[cfg(test)]
mod tests;

pub use create::*;
pub use run::*;
