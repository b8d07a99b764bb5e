//! Attrs: `name: kind [constraint] [= default]`.

use super::cursor::{Cursor, Spanned};
use super::lexer::TokenKind;
use super::{Spans, default, literal, split_name};
use crate::diagnostic::Diagnostic;
use crate::dtype::{DType, NUMBER_TYPES, QUANTIZED_TYPES, REAL_NUMBER_TYPES};
use crate::model::{Allowed, AttrKind, AttrSpec, ScalarKind};
use crate::names::{nearest, of_program};

/// The words that stand for sets of types.
pub(crate) const TYPE_SETS: &[(&str, &[DType])] = &[
    ("numbertype", NUMBER_TYPES),
    ("realnumbertype", REAL_NUMBER_TYPES),
    ("quantizedtype", QUANTIZED_TYPES),
    ("numerictype", NUMBER_TYPES),
];

pub(crate) fn attr_syntax(text: &str) -> Result<(AttrSpec, Spans), Diagnostic> {
    let (name, start) = split_name(text, "name: kind")?;
    let mut cursor = Cursor::new(text, start)?;
    let mut spans = Spans::default();
    let (kind, allowed) = read_kind(&mut cursor, &mut spans)?;
    let minimum = read_minimum(&mut cursor, kind, &mut spans)?;
    let mut default = None;
    if cursor.eat_punct(b'=').is_some() {
        let place = cursor.range().start;
        default = Some(default::read(&mut cursor, kind)?);
        spans.default = Some(place..cursor.last_end());
    }
    expect_attr_end(&cursor, kind, default.is_some())?;
    spans.whole = name.range.start..cursor.last_end();
    spans.name = name.range;
    let attr = AttrSpec { name: name.text.to_owned(), kind, allowed, minimum, default };
    Ok((attr, spans))
}

fn read_kind(cursor: &mut Cursor<'_>, spans: &mut Spans) -> Result<(AttrKind, Option<Allowed>), Diagnostic> {
    let start = cursor.range().start;
    let mut list = false;
    let mut element = read_element(cursor, spans)?;
    if element.is_none() {
        list = true;
        cursor.expect_punct(b'(', "after `list`")?;
        let place = cursor.range();
        element = read_element(cursor, spans)?;
        if element.is_none() {
            return Err(Diagnostic::new(place, "a list of lists is not a kind"));
        }
        cursor.expect_punct(b')', "at the end of `list(`")?;
    }
    spans.ty = start..cursor.last_end();
    let (scalar, allowed) = element.unwrap_or((ScalarKind::Type, None));
    Ok((AttrKind { scalar, list }, allowed))
}

/// A kind or a constraint that implies one; `None` is the word `list`, taken.
fn read_element(
    cursor: &mut Cursor<'_>,
    spans: &mut Spans,
) -> Result<Option<(ScalarKind, Option<Allowed>)>, Diagnostic> {
    let start = cursor.range().start;
    if cursor.eat_punct(b'{').is_some() {
        let (scalar, allowed) = read_set(cursor, start)?;
        spans.allowed = Some(start..cursor.last_end());
        return Ok(Some((scalar, Some(allowed))));
    }
    let word = cursor.expect_word("a kind, such as `int`, or a constraint")?;
    if word.text == "list" {
        return Ok(None);
    }
    if let Some(scalar) = ScalarKind::parse(word.text) {
        return Ok(Some((scalar, None)));
    }
    let Some(types) = type_set(word.text) else {
        return Err(unknown_kind(&word));
    };
    spans.allowed = Some(word.range);
    let allowed = Allowed::Types(types.to_vec());
    Ok(Some((ScalarKind::Type, Some(allowed))))
}

fn type_set(word: &str) -> Option<&'static [DType]> {
    TYPE_SETS.iter().find(|set| set.0 == word).map(|set| set.1)
}

fn unknown_kind(word: &Spanned<'_>) -> Diagnostic {
    let unknown = Diagnostic::new(word.range.clone(), format!("unknown kind `{}`", word.text));
    if DType::parse(word.text).is_some() {
        return unknown.with_help(format!(
            "`{0}` is a type of elements; write `{{{0}}}` for an attr that allows only this type",
            word.text
        ));
    }
    let sets = TYPE_SETS.iter().map(|set| set.0);
    let kinds = ScalarKind::ALL.iter().map(|kind| kind.name());
    let near = || nearest(word.text, kinds.chain(sets).chain(["list"]));
    match of_program(word.text).map(|names| names.1).or_else(near) {
        Some(guess) => unknown.with_guess(Some(guess)),
        None => {
            unknown.with_help("the kinds are string, int, float, bool, type, shape, tensor, func and list(…) of them")
        }
    }
}

/// The set after the brace at `start`: types, or strings.
fn read_set(cursor: &mut Cursor<'_>, start: usize) -> Result<(ScalarKind, Allowed), Diagnostic> {
    if cursor.eat_punct(b'}').is_some() {
        let message = "this constraint allows no value at all";
        return Err(Diagnostic::new(start..cursor.last_end(), message)
            .with_help("list the types or strings it allows, or write the kind instead"));
    }
    let strings = cursor.peek() == TokenKind::Quoted;
    let (mut types, mut texts) = (Vec::new(), Vec::new());
    while cursor.eat_punct(b'}').is_none() {
        match cursor.peek() {
            TokenKind::Quoted if strings => texts.push(read_text(cursor)?),
            TokenKind::Word if !strings => read_type(cursor, &mut types)?,
            TokenKind::Quoted | TokenKind::Word => {
                let message = "a constraint holds either types or strings, not both";
                return Err(Diagnostic::new(cursor.range(), message));
            }
            _ if strings => return Err(cursor.expected("a string in quotes or `}`")),
            _ => return Err(cursor.expected("a type, a string in quotes or `}`")),
        }
        if cursor.eat_punct(b',').is_none() && cursor.peek() != TokenKind::Punct(b'}') {
            return Err(cursor.expected("`,` or `}` in the constraint"));
        }
    }
    Ok(if strings { (ScalarKind::String, Allowed::Strings(texts)) } else { (ScalarKind::Type, Allowed::Types(types)) })
}

fn read_text(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, Diagnostic> {
    let quoted = cursor.advance();
    literal::unquote(quoted.text, quoted.range.start)
}

fn read_type(cursor: &mut Cursor<'_>, types: &mut Vec<DType>) -> Result<(), Diagnostic> {
    let word = cursor.advance();
    if let Some(dtype) = DType::parse(word.text) {
        types.push(dtype);
    } else if let Some(set) = type_set(word.text) {
        types.extend_from_slice(set);
    } else {
        let sets = TYPE_SETS.iter().map(|set| set.0);
        let names = DType::ALL.iter().map(|dtype| dtype.name()).chain(sets);
        let message = format!("unknown type `{}`", word.text);
        let guess = of_program(word.text).map(|names| names.0).or_else(|| nearest(word.text, names));
        return Err(Diagnostic::new(word.range, message).with_guess(guess));
    }
    Ok(())
}

fn read_minimum(cursor: &mut Cursor<'_>, kind: AttrKind, spans: &mut Spans) -> Result<Option<i64>, Diagnostic> {
    let Some(sign) = cursor.eat(TokenKind::AtLeast) else {
        return Ok(None);
    };
    if !kind.list && kind.scalar != ScalarKind::Int {
        let message = format!("a minimum needs an `int` or a list, not the kind `{kind}`");
        return Err(Diagnostic::new(sign.range, message));
    }
    let start = cursor.range().start;
    let value = default::read_int(cursor, "an integer after `>=`")?;
    spans.minimum = Some(start..cursor.last_end());
    Ok(Some(value))
}

/// The error for what cannot follow; a set or a comparison after the kind gets a hint how to write it.
fn expect_attr_end(cursor: &Cursor<'_>, kind: AttrKind, has_default: bool) -> Result<(), Diagnostic> {
    let help = match cursor.peek() {
        TokenKind::Punct(b'{') if !has_default => "a constraint stands in place of the kind, as in `T: {float, int32}`",
        TokenKind::Punct(b'<' | b'>') if kind.scalar == ScalarKind::Int || kind.list => "the only comparison is `>=`",
        TokenKind::Punct(b'(') if !kind.list => "only `list` has parentheses, as in `list(int)`",
        TokenKind::AtLeast if has_default => "the minimum stands before the default",
        _ => return cursor.expect_end(),
    };
    cursor.expect_end().map_err(|error| error.with_help(help))
}
