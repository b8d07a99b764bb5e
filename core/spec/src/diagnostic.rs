//! What is wrong, where in the spec text, and what to do; rendered with a caret line.

use std::fmt;
use std::ops::Range;

/// A mistake in the text of one piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The bytes of the piece's text at fault; empty where something is missing.
    pub range: Range<usize>,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it, in one line.
    pub help: Option<String>,
}

/// A part of an op declaration that is written as a text of its own.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Piece {
    /// The op's name.
    Name,
    /// The input of that index.
    Input(usize),
    /// The output of that index.
    Output(usize),
    /// The attr of that index.
    Attr(usize),
    /// The op as a whole.
    Op,
}

/// A mistake in a model, located in the text that the printer gives the piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Problem {
    /// The piece at fault.
    pub piece: Piece,
    /// The piece as the grammar prints it.
    pub text: String,
    /// The mistake; its range is in `text`.
    pub diagnostic: Diagnostic,
}

impl Diagnostic {
    pub(crate) fn new(range: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { range, message: message.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds the help "did you mean" if there is a guess.
    pub(crate) fn with_guess(self, guess: Option<&str>) -> Diagnostic {
        match guess {
            Some(guess) => self.with_help(format!("did you mean `{guess}`?")),
            None => self,
        }
    }

    /// The message, the line of `source` at fault with carets under the range, and the help. No trailing newline.
    /// A range that does not fit `source` is cut to it.
    pub fn render(&self, source: &str) -> String {
        let start = floor_boundary(source, self.range.start);
        let end = floor_boundary(source, self.range.end).max(start);
        let line_start = source[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |i| start + i);
        let indent = source[line_start..start].chars().count();
        let carets = source[start..end.min(line_end).max(start)].chars().count().max(1);
        let line = printable(&source[line_start..line_end]);
        let bar = if line.is_empty() { "  |" } else { "  | " };
        let marks = " ".repeat(indent) + &"^".repeat(carets);
        let mut text = format!("{}\n{bar}{line}\n  | {marks}", self.message);
        if let Some(help) = &self.help {
            text.push_str("\nhelp: ");
            text.push_str(help);
        }
        text
    }
}

/// The greatest character boundary of `text` that is not beyond `index`.
fn floor_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// One column a character: control characters become spaces.
fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim_end().to_owned()
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.piece, self.diagnostic.render(&self.text))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Piece::Name => f.write_str("name"),
            Piece::Input(i) => write!(f, "input {i}"),
            Piece::Output(i) => write!(f, "output {i}"),
            Piece::Attr(i) => write!(f, "attr {i}"),
            Piece::Op => f.write_str("op"),
        }
    }
}

impl std::error::Error for Diagnostic {}
impl std::error::Error for Problem {}
