//! Failures of work that was enqueued earlier: kept until somebody asks, told once.

use std::sync::{Mutex, PoisonError};

use oplink_api::Error;

/// The first failure that was not told yet.
#[derive(Default)]
pub(super) struct Faults(Mutex<Option<Error>>);

impl Faults {
    pub(super) fn add(&self, error: Error) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    pub(super) fn take(&self) -> Option<Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
