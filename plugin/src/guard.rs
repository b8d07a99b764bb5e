//! The guard around every function that the host calls.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use oplink_api::error::panic_message;
use oplink_api::{Code, Error, ErrorKind, Result};

/// Runs `body`; a panic is an error that says what panicked.
pub(crate) fn guarded<T>(what: impl FnOnce() -> String, body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(panicked(&what(), &*panic)))
}

/// Runs `body` where nobody can be told of an error.
pub(crate) fn silent<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(fallback)
}

fn panicked(what: &str, panic: &(dyn Any + Send)) -> Error {
    let message = panic_message(panic);
    Error::new(Code::Internal, ErrorKind::KernelPanicked, format!("{what} panicked: {message}"))
}
