//! The error of the conversions.

use std::fmt;

/// Why a message has no counterpart in the op language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConvertError {
    /// From the outermost, such as ``op `MatMul` ``, to the innermost, such as ``attr `T` ``.
    path: Vec<String>,
    reason: String,
}

impl ConvertError {
    pub(super) fn new(reason: impl Into<String>) -> ConvertError {
        ConvertError { path: Vec::new(), reason: reason.into() }
    }

    /// The same error, with the thing around it.
    #[must_use]
    pub(super) fn inside(mut self, kind: &str, name: &str) -> ConvertError {
        self.path.insert(0, format!("{kind} `{name}`"));
        self
    }

    /// What is wrong, without the place.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path.join(", "))?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ConvertError {}
