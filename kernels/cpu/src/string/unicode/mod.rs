//! Text of Unicode in its encodings.

mod decode;

use oplink::prelude::*;

pub(super) use decode::{Encoding, decode};

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
    /// From the attrs `errors` and `replacement_char`.
    pub(super) fn new(construction: KernelConstruction<'_>) -> Result<(Self, i32)> {
        let replacement: i64 = construction.attr("replacement_char")?;
        ensure!(
            (0..=MAX).contains(&replacement),
            "replacement_char must be a code point in [0, {MAX}], it is {replacement}"
        );
        let replacement = replacement as i32;
        Ok((
            match construction.attr::<&str>("errors")? {
                "replace" => Self::Replace(replacement),
                "ignore" => Self::Ignore,
                _ => Self::Strict,
            },
            replacement,
        ))
    }
}
