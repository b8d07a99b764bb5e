//! What a suite is: numbered cases, each of which follows from a seed.

use std::time::Instant;

/// Makes a suite of a seed, in the worker's process.
pub type Open = fn(seed: u64) -> Box<dyn Suite>;

/// Cases by number.
pub trait Suite {
    /// The case with a number: always the same one for a seed.
    fn case(&mut self, number: u64) -> Box<dyn Case>;
}

/// One case.
pub trait Case {
    /// What runs, in one line that is enough to run it by hand.
    fn describe(&self) -> String;

    /// Runs it. It has to end at the deadline, without a panic.
    fn run(&mut self, deadline: Instant) -> Outcome;
}

/// How a case ended in a process that lives on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a result.
    Done,
    /// With an error of this code.
    Error(String),
    /// With a panic that was caught, which no input may cause.
    Panicked(String),
    /// With an answer that is wrong.
    Wrong(String),
}
