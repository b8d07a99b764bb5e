//! Failures of work that was enqueued earlier: kept until somebody asks, told once.

use std::sync::{Mutex, PoisonError};

use oplink_api::Error;

/// Lines of context that a failure gets from those after it.
const MAX_LINES: usize = 8;

/// The first failure that was not told yet, with what failed after it.
#[derive(Default)]
pub(super) struct Faults(Mutex<Option<Error>>);

impl Faults {
    pub(super) fn add(&self, error: Error) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *first = Some(match first.take() {
            None => error,
            Some(first) if tells(&first, &error) => first,
            Some(first) if first.context_lines().len() < MAX_LINES => first.context(error.message()),
            Some(first) => first,
        });
    }

    pub(super) fn take(&self) -> Option<Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Whether a failure says all that another one does.
fn tells(first: &Error, error: &Error) -> bool {
    first.message() == error.message() || first.context_lines().iter().any(|line| line == error.message())
}
