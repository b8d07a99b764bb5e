//! Inputs and outputs: `name: type-expr`, where a type-expr is a type, an attr, `N * type-expr` or `Ref(type-expr)`.

use super::cursor::{Cursor, Spanned};
use super::lexer::TokenKind;
use super::{Spans, split_name};
use crate::diagnostic::Diagnostic;
use crate::dtype::DType;
use crate::model::{ArgSpec, ArgType, AttrKind, AttrSpec, ScalarKind};

/// An argument whose words are not yet known to be types or attrs.
#[derive(Debug)]
pub(crate) struct RawArg<'a> {
    pub(crate) name: &'a str,
    pub(crate) ty: &'a str,
    pub(crate) number: Option<&'a str>,
    is_ref: bool,
    pub(crate) spans: Spans,
}

pub(crate) fn arg_syntax(text: &str) -> Result<RawArg<'_>, Diagnostic> {
    let (name, start) = split_name(text, "name: type")?;
    let mut cursor = Cursor::new(text, start)?;
    let mut expr = Expr::default();
    expr.read(&mut cursor)?;
    let is_list = expr.ty.as_ref().is_some_and(|word| word.text == "list");
    cursor.expect_end().map_err(|error| {
        let help = "for tensors of several types declare an attr `T: list(type)` and write `T` here";
        if is_list { error.with_help(help) } else { error }
    })?;
    Ok(RawArg {
        name: name.text,
        ty: expr.ty.as_ref().map_or("", |word| word.text),
        number: expr.number.as_ref().map(|word| word.text),
        is_ref: expr.is_ref,
        spans: Spans {
            whole: name.range.start..cursor.last_end(),
            name: name.range,
            ty: expr.ty.map(|word| word.range).unwrap_or_default(),
            number: expr.number.map(|word| word.range),
            ..Spans::default()
        },
    })
}

#[derive(Default)]
struct Expr<'a> {
    ty: Option<Spanned<'a>>,
    number: Option<Spanned<'a>>,
    is_ref: bool,
}

impl<'a> Expr<'a> {
    /// Recursion ends after one `Ref` and one `N *`.
    fn read(&mut self, cursor: &mut Cursor<'a>) -> Result<(), Diagnostic> {
        let word = read_word(cursor)?;
        if word.text == "Ref" && cursor.eat_punct(b'(').is_some() {
            if self.is_ref {
                return Err(Diagnostic::new(word.range, "`Ref` inside `Ref`"));
            }
            self.is_ref = true;
            self.read(cursor)?;
            cursor.expect_punct(b')', "at the end of `Ref(`")?;
        } else if cursor.eat_punct(b'*').is_some() {
            if self.number.is_some() {
                return Err(Diagnostic::new(word.range, "an argument has one number of tensors, this is the second"));
            }
            self.number = Some(word);
            self.read(cursor)?;
        } else {
            self.ty = Some(word);
        }
        Ok(())
    }
}

/// A type or the name of an attr; what is often written in its place gets a hint.
fn read_word<'a>(cursor: &mut Cursor<'a>) -> Result<Spanned<'a>, Diagnostic> {
    let what = "a type or the name of an attr";
    let help = match cursor.peek() {
        TokenKind::Punct(b'{') => "a constraint belongs to an attr: declare `T: {…}` and write `T` here",
        TokenKind::Number => "a number of tensors is an attr of kind `int`, as in `N * T`",
        _ => return cursor.expect_word(what),
    };
    Err(cursor.expected(what).with_help(help))
}

impl RawArg<'_> {
    /// The argument of an op with those attrs. A word that is neither a type nor an attr is taken for an attr of kind
    /// `type`; the checks report it.
    pub(crate) fn resolve(&self, attrs: &[AttrSpec]) -> ArgSpec {
        let attr = attrs.iter().find(|attr| attr.name == self.ty);
        let ty = match (attr, DType::parse(self.ty)) {
            (None, Some(dtype)) => ArgType::Type(dtype),
            (Some(attr), _) if attr.kind == AttrKind::list(ScalarKind::Type) => ArgType::ListAttr(self.ty.to_owned()),
            _ => ArgType::Attr(self.ty.to_owned()),
        };
        ArgSpec { name: self.name.to_owned(), ty, number_attr: self.number.map(str::to_owned), is_ref: self.is_ref }
    }
}
