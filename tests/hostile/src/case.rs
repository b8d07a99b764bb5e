//! What a case is given and what it may end with.

use std::path::Path;

use oplink::error::ErrorKind;
use oplink::{Error, Result};

/// One case: its random numbers and a folder of its own.
pub(crate) struct Case<'a> {
    pub(crate) random: fastrand::Rng,
    pub(crate) folder: &'a Path,
}

/// How a case ended well.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// The input was taken, and gave what it should.
    Ran,
    /// The input was refused with this error, of the user's kind.
    Refused(String),
}

/// The outcome of a result: an error is a good answer unless it is a panic or a broken invariant.
///
/// # Errors
/// What is wrong with the answer.
pub(crate) fn judge<T>(result: Result<T>) -> std::result::Result<Outcome, String> {
    match result {
        Ok(_) => Ok(Outcome::Ran),
        Err(error) => refused(&error),
    }
}

/// As [`judge`], of an error.
///
/// # Errors
/// The error is a panic or a broken invariant, or says nothing.
pub(crate) fn refused(error: &Error) -> std::result::Result<Outcome, String> {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::KernelPanicked => Err(format!("panic: {message}")),
        ErrorKind::Internal => Err(format!("broken invariant: {message}")),
        _ if message.trim().is_empty() => Err(format!("an error without a message: {error:?}")),
        _ => Ok(Outcome::Refused(message)),
    }
}
