//! The error of both directions.

use std::fmt;

/// The most bytes of a reason: the parser's may quote a constant of any size.
const LONGEST_REASON: usize = 300;

/// Why a text could not be read, or a message not be written as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    message: String,
    reason: String,
    place: Option<Place>,
}

/// A place in a text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Place {
    offset: usize,
    line: usize,
    column: usize,
}

impl TextError {
    /// An error that concerns no place of the text.
    pub(super) fn plain(message: &str, reason: impl Into<String>) -> TextError {
        let mut reason = reason.into();
        if reason.len() > LONGEST_REASON {
            reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
            reason.push('…');
        }
        TextError { message: message.to_owned(), reason, place: None }
    }

    /// An error at a byte of the text.
    pub(super) fn at(message: &str, reason: impl Into<String>, text: &str, offset: usize) -> TextError {
        TextError { place: Some(Place::find(text, offset)), ..TextError::plain(message, reason) }
    }

    /// The full name of the message that was asked for, such as `tensorflow.GraphDef`.
    pub fn message_name(&self) -> &str {
        &self.message
    }

    /// The byte of the text at fault; `None` when no single place is.
    pub fn offset(&self) -> Option<usize> {
        self.place.map(|place| place.offset)
    }

    /// The line, from 1.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|place| place.line)
    }

    /// The column in characters, from 1.
    pub fn column(&self) -> Option<usize> {
        self.place.map(|place| place.column)
    }
}

impl Place {
    fn find(text: &str, offset: usize) -> Place {
        let offset = text.floor_char_boundary(offset);
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place { offset, line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextError { message, reason, place } = self;
        match place {
            Some(Place { line, column, .. }) => write!(f, "{message} as text, line {line}, column {column}: {reason}"),
            None => write!(f, "{message} as text: {reason}"),
        }
    }
}

impl std::error::Error for TextError {}
