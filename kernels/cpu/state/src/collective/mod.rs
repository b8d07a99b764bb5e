//! Collectives: kernels of several devices of a process that bring a tensor each and get what is made of all.
//!
//! `meeting` is where the members of a group wait for each other, `work` what is then made of their inputs, `reduce`
//! the sums among it. `run` has the kernels whose groups have keys; `communicator` makes groups, and has the kernels
//! of groups that were made.

mod communicator;
mod meeting;
mod reduce;
mod run;
mod work;

#[cfg(test)]
mod tests;

pub use communicator::*;
pub use run::*;
