//! A whole op as one text: a line a piece, each begun by its keyword.

use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::pieces::Pieces;
use super::{default, literal, trimmed};
use crate::diagnostic::{Diagnostic, Piece};
use crate::model::{Deprecation, Flags, OpSpec};
use crate::names::nearest;
use crate::print::FLAG_NAMES;
use crate::sorting::sort_by_key;

impl OpSpec {
    /// Reads what `Display` prints; blank lines and the order of lines after the first do not matter. All mistakes are
    /// reported, in the order of the text, their ranges in `text`.
    ///
    /// # Errors
    /// All mistakes in the text, each with its range.
    pub fn parse(text: &str) -> Result<OpSpec, Vec<Diagnostic>> {
        let mut lines = Lines::default();
        for line in text.split_inclusive('\n') {
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            lines.read(line, start);
        }
        lines.finish(text)
    }
}

/// A text's lines by keyword; `usize` is where the rest of the line starts in the text.
#[derive(Default)]
struct Lines<'a> {
    name: Option<(usize, &'a str)>,
    inputs: Vec<(usize, &'a str)>,
    outputs: Vec<(usize, &'a str)>,
    attrs: Vec<(usize, &'a str)>,
    control_outputs: Vec<String>,
    flags: Flags,
    deprecation: Option<Deprecation>,
    errors: Vec<Diagnostic>,
}

const KEYWORDS: &[&str] = &["op", "input", "output", "attr", "control_output", "flags", "deprecated"];

impl<'a> Lines<'a> {
    fn read(&mut self, line: &'a str, start: usize) {
        let place = trimmed(line);
        let line = &line[place.clone()];
        if line.is_empty() {
            return;
        }
        let start = start + place.start;
        let split = line.find(char::is_whitespace).unwrap_or(line.len());
        let (keyword, rest) = line.split_at(split);
        let space = rest.len() - rest.trim_start().len();
        let rest = (start + split + space, &rest[space..]);
        if self.name.is_none() && keyword != "op" && self.errors.is_empty() {
            let message = "expected `op` and the op's name on the first line";
            self.errors.push(Diagnostic::new(start..start + split, message));
        }
        match keyword {
            "op" if self.name.is_none() => self.name = Some(rest),
            "op" => {
                let message = "a second op in a text for one";
                self.errors.push(Diagnostic::new(start..start + split, message));
            }
            "input" => self.inputs.push(rest),
            "output" => self.outputs.push(rest),
            "attr" => self.attrs.push(rest),
            "control_output" => self.control_outputs.push(rest.1.to_owned()),
            "flags" => self.read_flags(rest),
            "deprecated" => self.read_deprecation(rest),
            _ => {
                let message = format!("unknown keyword `{}`", super::shorten(keyword));
                let guess = nearest(keyword, KEYWORDS.iter().copied());
                let error = Diagnostic::new(start..start + split, message);
                self.errors.push(error.with_guess(guess));
            }
        }
    }

    fn read_flags(&mut self, (start, text): (usize, &'a str)) {
        for word in text.split_whitespace() {
            let at = start + (word.as_ptr() as usize - text.as_ptr() as usize);
            if let Some(flag) = self.flags.get_mut(word) {
                *flag = true;
            } else {
                let message = format!("unknown flag `{}`", super::shorten(word));
                let guess = nearest(word, FLAG_NAMES.iter().copied());
                let error = Diagnostic::new(at..at + word.len(), message);
                self.errors.push(error.with_guess(guess));
            }
        }
    }

    fn read_deprecation(&mut self, (start, text): (usize, &'a str)) {
        let this = deprecation(text).and_then(|this| match self.deprecation {
            Some(_) => Err(Diagnostic::new(trimmed(text), "a second line `deprecated`")),
            None => Ok(this),
        });
        match this {
            Ok(deprecation) => self.deprecation = Some(deprecation),
            Err(error) => self.errors.push(shift(error, start)),
        }
    }

    fn finish(mut self, text: &str) -> Result<OpSpec, Vec<Diagnostic>> {
        let Some((_, name)) = self.name else {
            if self.errors.is_empty() {
                let message = "expected `op` and the op's name, found nothing";
                self.errors.push(Diagnostic::new(trimmed(text), message));
            }
            return Err(self.errors);
        };
        let texts = |lines: &[(usize, &'a str)]| -> Vec<&'a str> { lines.iter().map(|line| line.1).collect() };
        let (inputs, outputs) = (texts(&self.inputs), texts(&self.outputs));
        let mut pieces = Pieces::read(name, &inputs, &outputs, &texts(&self.attrs));
        pieces.spec.control_outputs = std::mem::take(&mut self.control_outputs);
        pieces.spec.flags = self.flags;
        pieces.spec.deprecation = self.deprecation.take();
        match pieces.finish() {
            Ok(spec) if self.errors.is_empty() => return Ok(spec),
            Ok(_) => {}
            Err(errors) => {
                let placed = errors.into_iter().map(|(piece, error)| shift(error, self.start(piece)));
                let placed: Vec<Diagnostic> = placed.collect();
                self.errors.extend(placed);
            }
        }
        sort_by_key(&mut self.errors, |error| error.range.start);
        Err(self.errors)
    }

    /// Where the piece's text starts in the whole.
    fn start(&self, piece: Piece) -> usize {
        let line = match piece {
            Piece::Name | Piece::Op => self.name.as_ref(),
            Piece::Input(i) => self.inputs.get(i),
            Piece::Output(i) => self.outputs.get(i),
            Piece::Attr(i) => self.attrs.get(i),
        };
        line.map_or(0, |line| line.0)
    }
}

fn deprecation(text: &str) -> Result<Deprecation, Diagnostic> {
    let mut cursor = Cursor::new(text, 0)?;
    let place = cursor.range();
    let version = default::read_int(&mut cursor, "the graph version")?;
    let version =
        i32::try_from(version).map_err(|_| literal::out_of_range(&version.to_string(), "a graph version", place))?;
    let Some(quoted) = cursor.eat(TokenKind::Quoted) else {
        return Err(cursor.expected("the explanation in quotes"));
    };
    cursor.expect_end()?;
    let bytes = literal::unquote(quoted.text, quoted.range.start)?;
    let explanation =
        String::from_utf8(bytes).map_err(|_| Diagnostic::new(quoted.range, "the explanation is not UTF-8"))?;
    Ok(Deprecation { version, explanation })
}

fn shift(mut error: Diagnostic, by: usize) -> Diagnostic {
    error.range = error.range.start + by..error.range.end + by;
    error
}
