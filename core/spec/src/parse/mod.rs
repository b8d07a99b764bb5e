//! Spec text to the model: `parse_arg` and `parse_attr` for the pieces. Syntax is read here; what a syntactically
//! complete piece may say is `check`'s business.

mod arg;
mod attr;
mod cursor;
mod default;
mod lexer;
mod literal;
mod op;
mod pieces;
mod proto_value;
mod text_proto;

use std::ops::Range;

use crate::check::{self, Known};
use crate::diagnostic::{Diagnostic, Piece};
use crate::model::{ArgSpec, AttrSpec};
use cursor::Spanned;

use arg::arg_syntax;
pub(crate) use attr::TYPE_SETS;
use attr::attr_syntax;
pub(crate) use cursor::shorten;
pub(crate) use text_proto::MAX_DEPTH;

/// A part of a piece that a check can find fault with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Name,
    /// An argument's element type, an attr's kind.
    Type,
    /// The `N` of `N * T`.
    Number,
    Allowed,
    Minimum,
    Default,
    Whole,
}

/// Where the parts of a piece lie in its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spans {
    pub(crate) name: Range<usize>,
    pub(crate) ty: Range<usize>,
    pub(crate) number: Option<Range<usize>>,
    pub(crate) allowed: Option<Range<usize>>,
    pub(crate) minimum: Option<Range<usize>>,
    pub(crate) default: Option<Range<usize>>,
    pub(crate) whole: Range<usize>,
}

impl Spans {
    /// Spans of a text that is one part.
    pub(crate) fn whole(text: &str) -> Spans {
        let whole = trimmed(text);
        Spans { name: whole.clone(), ty: whole.clone(), whole, ..Spans::default() }
    }

    /// The part's place, or the whole text for a part that is not written.
    pub(crate) fn of(&self, part: Part) -> Range<usize> {
        let place = match part {
            Part::Name => Some(&self.name),
            Part::Type => Some(&self.ty),
            Part::Number => self.number.as_ref(),
            Part::Allowed => self.allowed.as_ref(),
            Part::Minimum => self.minimum.as_ref(),
            Part::Default => self.default.as_ref(),
            Part::Whole => None,
        };
        place.unwrap_or(&self.whole).clone()
    }
}

/// Reads an input or output such as `values: N * T` of an op with those attrs. Reports the first mistake.
///
/// # Errors
/// The first mistake in the text.
pub fn parse_arg(text: &str, attrs: &[AttrSpec]) -> Result<ArgSpec, Diagnostic> {
    let raw = arg_syntax(text)?;
    let arg = raw.resolve(attrs);
    let findings = check::arg(&arg, Piece::Input(0), attrs, &Known::default());
    match findings.into_iter().next() {
        Some(finding) => Err(finding.at(&raw.spans)),
        None => Ok(arg),
    }
}

/// Reads an attr such as `N: int >= 2`. Reports the first mistake.
///
/// # Errors
/// The first mistake in the text.
pub fn parse_attr(text: &str) -> Result<AttrSpec, Diagnostic> {
    let (attr, spans) = attr_syntax(text)?;
    match check::attr(&attr, Piece::Attr(0)).into_iter().next() {
        Some(finding) => Err(finding.at(&spans)),
        None => Ok(attr),
    }
}

/// The spans of a piece's printed text. A model that breaks the grammar may print what does not parse: then the whole.
pub(crate) fn printed_spans(piece: Piece, text: &str) -> Spans {
    let spans = match piece {
        Piece::Input(_) | Piece::Output(_) => arg_syntax(text).map(|raw| raw.spans).ok(),
        Piece::Attr(_) => attr_syntax(text).map(|(_, spans)| spans).ok(),
        Piece::Name | Piece::Op => None,
    };
    spans.unwrap_or_else(|| Spans::whole(text))
}

/// Splits `name: rest` into the name, not yet checked, and the place where the rest starts.
fn split_name<'a>(text: &'a str, form: &str) -> Result<(Spanned<'a>, usize), Diagnostic> {
    let Some(colon) = text.find(':') else {
        let name_end = text
            .trim_start()
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(text.trim_end().len(), |i| i + text.len() - text.trim_start().len());
        let message = match text.trim() {
            "" => "the text is empty",
            _ => "expected `:` after the name",
        };
        return Err(Diagnostic::new(name_end..name_end, message).with_help(format!("write `{form}`")));
    };
    let range = trimmed(&text[..colon]);
    if range.is_empty() {
        let message = "the name before `:` is missing";
        return Err(Diagnostic::new(colon..colon + 1, message).with_help(format!("write `{form}`")));
    }
    let name = Spanned { text: &text[range.clone()], range };
    Ok((name, colon + 1))
}

/// The place of the text without the spaces around it.
fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// The name of a piece whose rest may be broken, if it has one.
fn name_of(text: &str) -> Option<&str> {
    split_name(text, "").ok().map(|(name, _)| name.text)
}
