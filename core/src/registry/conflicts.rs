//! Conflicts between declarations, gathered and told at once.

use std::fmt::Write as _;

use oplink_api::{Code, Error, ErrorKind, Result};

/// What is wrong with the declarations, in a fixed order.
#[derive(Default)]
pub(super) struct Conflicts {
    found: Vec<String>,
    /// Ops whose declaration is broken: nothing can be said of their kernels.
    pub(super) broken: Vec<String>,
}

impl Conflicts {
    #[cold]
    pub(super) fn add(&mut self, conflict: String) {
        self.found.push(conflict);
    }

    /// Whether the declaration of this op is broken.
    pub(super) fn is_broken(&self, op: &str) -> bool {
        self.broken.iter().any(|broken| broken == op)
    }

    /// What is wrong, as one text; `None` where nothing is.
    pub(super) fn into_reason(self) -> Option<String> {
        (!self.found.is_empty()).then(|| self.found.join("\n"))
    }

    pub(super) fn finish(self) -> Result<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let s = if self.found.len() == 1 { "" } else { "s" };
        let mut message = format!("the registry cannot be sealed, {} conflict{s}:", self.found.len());
        for (i, conflict) in self.found.iter().enumerate() {
            let _ = write!(message, "\n{}. {}", i + 1, conflict.replace('\n', "\n   "));
        }
        Err(Error::new(Code::FailedPrecondition, ErrorKind::Registry, message))
    }
}
