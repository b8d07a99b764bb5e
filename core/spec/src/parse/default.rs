//! Defaults: one value of the attr's kind; lists in brackets, shapes, tensors and functions as text protos in braces.

use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::{literal, proto_value, text_proto};
use crate::diagnostic::Diagnostic;
use crate::dtype::DType;
use crate::model::{AttrKind, ScalarKind};
use crate::names::nearest;
use crate::value::{AttrValue, ListValue};

/// The value at the cursor.
pub(crate) fn read(cursor: &mut Cursor<'_>, kind: AttrKind) -> Result<AttrValue, Diagnostic> {
    if kind.list {
        return read_list(cursor, kind.scalar).map(|list| AttrValue::List(Box::new(list)));
    }
    if cursor.peek() == TokenKind::Punct(b'[') {
        return Err(cursor.expected(wanted(kind.scalar)).with_help(format!("a list needs the kind `list({kind})`")));
    }
    Ok(match kind.scalar {
        ScalarKind::String => AttrValue::String(read_string(cursor)?),
        ScalarKind::Int => AttrValue::Int(read_int(cursor, wanted(ScalarKind::Int))?),
        ScalarKind::Float => AttrValue::Float(read_float(cursor)?),
        ScalarKind::Bool => AttrValue::Bool(read_bool(cursor)?),
        ScalarKind::Type => AttrValue::Type(read_type(cursor)?),
        ScalarKind::Shape => AttrValue::Shape(proto_value::shape(&read_message(cursor, kind.scalar)?)?),
        ScalarKind::Tensor => AttrValue::Tensor(Box::new(proto_value::tensor(&read_message(cursor, kind.scalar)?)?)),
        ScalarKind::Func => AttrValue::Func(proto_value::func(&read_message(cursor, kind.scalar)?)?),
    })
}

fn read_list(cursor: &mut Cursor<'_>, scalar: ScalarKind) -> Result<ListValue, Diagnostic> {
    let mut list = ListValue::default();
    if cursor.eat_punct(b'[').is_none() {
        return Err(cursor.expected("a list in brackets, such as `[]`"));
    }
    if cursor.eat_punct(b']').is_some() {
        return Ok(list);
    }
    loop {
        match read(cursor, AttrKind::scalar(scalar))? {
            AttrValue::String(value) => list.strings.push(value),
            AttrValue::Int(value) => list.ints.push(value),
            AttrValue::Float(value) => list.floats.push(value),
            AttrValue::Bool(value) => list.bools.push(value),
            AttrValue::Type(value) => list.types.push(value),
            AttrValue::Shape(value) => list.shapes.push(value),
            AttrValue::Tensor(value) => list.tensors.push(*value),
            AttrValue::Func(value) => list.funcs.push(value),
            AttrValue::List(_) | AttrValue::Placeholder(_) => {}
        }
        if cursor.eat_punct(b',').is_none() {
            cursor.expect_punct(b']', "or `,` in the list")?;
            return Ok(list);
        }
    }
}

/// What the value of a kind looks like.
fn wanted(scalar: ScalarKind) -> &'static str {
    match scalar {
        ScalarKind::String => "a string in quotes",
        ScalarKind::Int => "an integer",
        ScalarKind::Float => "a float",
        ScalarKind::Bool => "`true` or `false`",
        ScalarKind::Type => "a type, such as `DT_FLOAT`",
        ScalarKind::Shape => "a shape in braces, such as `{ dim { size: 2 } }`",
        ScalarKind::Tensor => "a tensor in braces, such as `{ dtype: DT_INT32 int_val: 1 }`",
        ScalarKind::Func => "a function in braces, such as `{ name: 'f' }`",
    }
}

fn read_string(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, Diagnostic> {
    match cursor.eat(TokenKind::Quoted) {
        Some(quoted) => literal::unquote(quoted.text, quoted.range.start),
        None => Err(cursor.expected(wanted(ScalarKind::String))),
    }
}

pub(crate) fn read_int(cursor: &mut Cursor<'_>, what: &str) -> Result<i64, Diagnostic> {
    let start = cursor.range().start;
    let negative = cursor.eat_punct(b'-').is_some();
    let Some(number) = cursor.eat(TokenKind::Number) else {
        return Err(cursor.expected(what));
    };
    let range = start..number.range.end;
    let value = literal::integer(number.text, negative, false, range.clone())?;
    i64::try_from(value).map_err(|_| literal::out_of_range(number.text, "an int", range))
}

fn read_float(cursor: &mut Cursor<'_>) -> Result<f32, Diagnostic> {
    let start = cursor.range().start;
    let negative = cursor.eat_punct(b'-').is_some();
    if !matches!(cursor.peek(), TokenKind::Number | TokenKind::Word) {
        return Err(cursor.expected(wanted(ScalarKind::Float)));
    }
    let number = cursor.advance();
    literal::float(number.text, negative, true, start..number.range.end)
}

fn read_bool(cursor: &mut Cursor<'_>) -> Result<bool, Diagnostic> {
    let error = cursor.expected(wanted(ScalarKind::Bool));
    if !matches!(cursor.peek(), TokenKind::Number | TokenKind::Word) {
        return Err(error);
    }
    text_proto::bool_of(cursor.advance().text).ok_or(error)
}

fn read_type(cursor: &mut Cursor<'_>) -> Result<DType, Diagnostic> {
    let word = cursor.expect_word(wanted(ScalarKind::Type))?;
    let dtype = DType::parse_enum_name(word.text).or_else(|| DType::parse(word.text));
    dtype.ok_or_else(|| {
        let enum_name = word.text.starts_with("DT_");
        let name = |t: &DType| if enum_name { t.enum_name() } else { t.name() };
        let names = DType::ALL.iter().map(name);
        let message = format!("unknown type `{}`", word.text);
        Diagnostic::new(word.range, message).with_guess(nearest(word.text, names))
    })
}

fn read_message<'a>(cursor: &mut Cursor<'a>, scalar: ScalarKind) -> Result<text_proto::Message<'a>, Diagnostic> {
    match cursor.peek() {
        TokenKind::Punct(b'{') => text_proto::message(cursor),
        _ => Err(cursor.expected(wanted(scalar))),
    }
}
