//! Bounds what abbreviated constants may take, so that a few bytes cannot ask for all memory.

use std::cell::Cell;

use oplink_api::{Error, Result};

/// Bytes that constants may still take.
pub(crate) struct Budget {
    left: Cell<usize>,
    total: usize,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { left: Cell::new(bytes), total: bytes }
    }

    /// Takes the bytes of one constant, which `what` describes; `None` is a number that no memory has.
    pub(super) fn take(&self, bytes: Option<usize>, what: impl FnOnce() -> String) -> Result<()> {
        if let Some(left) = bytes.and_then(|bytes| self.left.get().checked_sub(bytes)) {
            self.left.set(left);
            return Ok(());
        }
        let message = format!("with {} the abbreviated constants exceed the limit of {} bytes", what(), self.total);
        Err(Error::resource_exhausted(message))
    }
}
