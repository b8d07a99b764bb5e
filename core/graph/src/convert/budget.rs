//! How constants of messages are read: what abbreviated ones may take, so that a few bytes cannot ask for all memory,
//! and where the contents are that the messages were decoded without.

use std::cell::Cell;

use oplink_api::{Error, Result};

use super::contents::Contents;

/// Bytes that constants may still take.
pub(crate) struct Budget<'a> {
    left: Cell<usize>,
    total: usize,
    contents: Option<&'a Contents<'a>>,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { left: Cell::new(bytes), total: bytes, contents: None }
    }

    /// The same, for messages that were decoded without these contents.
    pub(crate) fn with_contents(self, contents: Option<&'a Contents<'a>>) -> Self {
        Self { contents, ..self }
    }

    /// The contents that the messages were decoded without.
    pub(crate) fn contents(&self) -> Option<&'a Contents<'a>> {
        self.contents
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
