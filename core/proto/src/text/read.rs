//! From text to a message.

use super::{TextError, descriptor, nesting};
use crate::MAX_DEPTH;
use miette::Diagnostic as _;
use prost::{Message, Name};
use prost_reflect::DynamicMessage;
use prost_reflect::text_format::ParseError;

/// Reads a message from the text format.
///
/// # Errors
/// When the text is not well-formed, names a field or enum value that the message does not have, gives a field twice
/// or a value of the wrong type, or nests deeper than [`MAX_DEPTH`]. The error has the line and column.
pub fn from_text<M: Message + Name + Default>(text: &str) -> Result<M, TextError> {
    let name = M::full_name();
    let descriptor = descriptor::<M>()?;
    if let Some(offset) = nesting::first_too_deep(text, MAX_DEPTH) {
        let reason = format!("messages nest deeper than {MAX_DEPTH}");
        return Err(TextError::at(&name, reason, text, offset));
    }
    let message = DynamicMessage::parse_text_format(descriptor, text).map_err(|e| located(&name, text, &e))?;
    message.transcode_to().map_err(|e| TextError::plain(&name, e.to_string()))
}

/// The parser's error with its place; one that has none is at the text's end.
fn located(name: &str, text: &str, error: &ParseError) -> TextError {
    let mut labels = error.labels().into_iter().flatten();
    let offset = labels.next().map_or(text.len(), |label| label.offset());
    TextError::at(name, error.to_string(), text, offset)
}
