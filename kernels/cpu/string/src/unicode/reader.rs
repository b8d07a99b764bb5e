//! Strings read as code points, with malformed sequences and control characters replaced.

use oplink::prelude::*;
use oplink_ops::string::UnicodeErrors;

use super::OnError;
use super::decode::{Encoding, decode};

/// How the ops that read text do it.
#[derive(Debug)]
pub(crate) struct Reader {
    encoding: Encoding,
    on_error: OnError,
    on_control: Option<OnError>,
}

impl Reader {
    /// From the attrs of these ops.
    ///
    /// # Errors
    /// The encoding is unknown, or the replacement no code point.
    pub(crate) fn new(encoding: &str, errors: UnicodeErrors, replacement: i64, replaces_control: bool) -> Result<Self> {
        let (on_error, replacement) = OnError::new(errors, replacement)?;
        let replaced = match on_error {
            OnError::Ignore => OnError::Ignore,
            _ => OnError::Replace(replacement),
        };
        let encoding = Encoding::from_name(encoding)?;
        Ok(Self { encoding, on_error, on_control: replaces_control.then_some(replaced) })
    }

    /// Control characters are errors where malformed sequences are.
    #[must_use]
    pub(crate) fn strict_about_controls(self) -> Self {
        Self { on_control: self.on_control.map(|_| self.on_error), ..self }
    }

    /// Calls `push` with each code point, a replacement possibly a surrogate, and where its bytes start.
    ///
    /// # Errors
    /// A sequence is malformed, and that is to be an error.
    pub(crate) fn read(&self, bytes: &[u8], push: &mut dyn FnMut(usize, i32)) -> Result<()> {
        let (mut is_well_formed, mut start) = (true, 0);
        decode(self.encoding, bytes, &mut |end, c| {
            let problem = match c {
                Some('\0'..='\x1F') => self.on_control,
                Some(_) => None,
                None => Some(self.on_error),
            };
            match (problem, c) {
                (None, Some(c)) => push(start, u32::from(c) as i32),
                (Some(OnError::Replace(replacement)), _) => push(start, replacement),
                (Some(OnError::Strict), _) => is_well_formed = false,
                _ => {}
            }
            start = end;
        });
        ensure!(is_well_formed, "an input string is malformed: \"{}\"", bytes.escape_ascii());
        Ok(())
    }
}
