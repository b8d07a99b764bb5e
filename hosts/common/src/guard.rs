//! The guard around every function that a host calls.

use std::panic::{AssertUnwindSafe, catch_unwind};

use oplink_api::error::panic_message;
use oplink_api::{Code, Error, ErrorKind, Result};

/// Runs `body`; a panic is an error that says what panicked.
///
/// # Errors
/// Those of `body`, and `KernelPanicked`.
pub fn guarded<T>(what: impl FnOnce() -> String, body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let message = format!("{} panicked: {}", what(), panic_message(&*panic));
        Err(Error::new(Code::Internal, ErrorKind::KernelPanicked, message))
    })
}

/// Runs `body` where nobody can be told of an error.
pub fn silent<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(fallback)
}
