//! Text of Unicode in its encodings.

mod decode;
mod reader;

use oplink::prelude::*;
use oplink_ops::string::UnicodeErrors;

pub(super) use reader::Reader;

/// The largest code point.
const MAX: i64 = 0x10_FFFF;

/// What becomes of malformed input.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnError {
    /// A code point takes its place.
    Replace(i32),
    /// It is left out.
    Ignore,
    /// It is an error.
    Strict,
}

impl OnError {
    /// From the attrs `errors` and `replacement_char`, of which the latter is returned too.
    pub(super) fn new(errors: UnicodeErrors, replacement: i64) -> Result<(Self, i32)> {
        ensure!(
            (0..=MAX).contains(&replacement),
            "replacement_char must be a code point in [0, {MAX}], it is {replacement}"
        );
        let replacement = replacement as i32;
        Ok((
            match errors {
                UnicodeErrors::Replace => Self::Replace(replacement),
                UnicodeErrors::Ignore => Self::Ignore,
                UnicodeErrors::Strict => Self::Strict,
            },
            replacement,
        ))
    }
}
