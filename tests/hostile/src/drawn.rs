//! Suites whose cases are functions of random numbers and of the deadline.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use oplink::error::ErrorKind;
use oplink::{Error, Result};

use crate::random::Random;
use crate::suite::{Case, Outcome, Suite};

/// How a case ended; an error is what is wrong with what oplink answered.
pub(crate) type Answer = std::result::Result<Outcome, String>;

/// Runs one case.
pub(crate) type Run = fn(random: &mut Random, deadline: Instant) -> Answer;

/// The suite of a seed whose cases `run` runs.
pub(crate) fn open(seed: u64, run: Run) -> Box<dyn Suite> {
    Box::new(Drawn { seed, run })
}

struct Drawn {
    seed: u64,
    run: Run,
}

impl Suite for Drawn {
    fn case(&mut self, number: u64) -> Box<dyn Case> {
        Box::new(DrawnCase { random: Random::of_case(self.seed, number), run: self.run })
    }
}

struct DrawnCase {
    random: Random,
    run: Run,
}

impl Case for DrawnCase {
    fn describe(&self) -> String {
        "drawn from its number".to_owned()
    }

    fn run(&mut self, deadline: Instant) -> Outcome {
        let ran = catch_unwind(AssertUnwindSafe(|| (self.run)(&mut self.random, deadline)));
        match ran {
            Ok(answer) => answer.unwrap_or_else(Outcome::Wrong),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                Outcome::Panicked(text.unwrap_or("without a message").to_owned())
            }
        }
    }
}

/// The answer that a result is: an error is a good one unless it is a panic or a broken invariant.
///
/// # Errors
/// What is wrong with the answer.
pub(crate) fn judge<T>(result: Result<T>) -> Answer {
    result.map_or_else(|error| refused(&error), |_| Ok(Outcome::Done))
}

/// As [`judge`], of an error.
///
/// # Errors
/// The error is a broken invariant, or says nothing.
pub(crate) fn refused(error: &Error) -> Answer {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::KernelPanicked => Ok(Outcome::Panicked(message)),
        ErrorKind::Internal => Err(format!("broken invariant: {message}")),
        _ if message.trim().is_empty() => Err(format!("an error without a message: {error:?}")),
        _ => Ok(Outcome::Error(format!("{:?}", error.code()))),
    }
}
