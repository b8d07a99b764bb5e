//! Protocol buffers' text format, as far as messages in braces need it: text to a tree of fields.

use std::ops::Range;

use super::cursor::{Cursor, Spanned};
use super::lexer::TokenKind;
use super::literal;
use crate::diagnostic::Diagnostic;
use crate::names::nearest;

/// Messages inside messages that are read; deeper ones are an error.
pub(crate) const MAX_DEPTH: usize = 32;

/// The fields of a message in the order of the text; a repeated field stands there once for each value.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    pub(crate) fields: Vec<Field<'a>>,
    pub(crate) range: Range<usize>,
}

#[derive(Debug)]
pub(crate) struct Field<'a> {
    pub(crate) name: Spanned<'a>,
    node: Node<'a>,
    pub(crate) range: Range<usize>,
}

#[derive(Debug)]
enum Node<'a> {
    Message(Message<'a>),
    Text(Vec<u8>),
    Number { digits: &'a str, negative: bool },
    Word { word: &'a str, negative: bool },
}

/// The message in braces at the cursor.
pub(crate) fn message<'a>(cursor: &mut Cursor<'a>) -> Result<Message<'a>, Diagnostic> {
    message_at(cursor, 0)
}

fn message_at<'a>(cursor: &mut Cursor<'a>, depth: usize) -> Result<Message<'a>, Diagnostic> {
    let open = cursor.range();
    if depth >= MAX_DEPTH {
        let message = format!("messages are nested more than {MAX_DEPTH} deep");
        return Err(Diagnostic::new(open, message));
    }
    let close = match cursor.eat_punct(b'<') {
        Some(_) => b'>',
        None => cursor.expect_punct(b'{', "of a message").map(|_| b'}')?,
    };
    let mut fields = Vec::new();
    while cursor.eat_punct(close).is_none() {
        read_field(cursor, depth, close, &mut fields)?;
        if cursor.eat_punct(b',').is_none() {
            cursor.eat_punct(b';');
        }
    }
    Ok(Message { fields, range: open.start..cursor.last_end() })
}

fn read_field<'a>(
    cursor: &mut Cursor<'a>,
    depth: usize,
    close: u8,
    fields: &mut Vec<Field<'a>>,
) -> Result<(), Diagnostic> {
    let what = format!("a field or `{}`", char::from(close));
    let name = cursor.expect_word(&what)?;
    let colon = cursor.eat_punct(b':').is_some();
    if cursor.eat_punct(b'[').is_none() {
        fields.push(read_value(cursor, name, depth, colon)?);
        return Ok(());
    }
    if cursor.eat_punct(b']').is_some() {
        return Ok(());
    }
    loop {
        fields.push(read_value(cursor, name.clone(), depth, colon)?);
        if cursor.eat_punct(b',').is_none() {
            cursor.expect_punct(b']', "or `,` in a list")?;
            return Ok(());
        }
    }
}

fn read_value<'a>(
    cursor: &mut Cursor<'a>,
    name: Spanned<'a>,
    depth: usize,
    colon: bool,
) -> Result<Field<'a>, Diagnostic> {
    let start = cursor.range().start;
    let node = match cursor.peek() {
        TokenKind::Punct(b'{' | b'<') => Node::Message(message_at(cursor, depth + 1)?),
        _ if !colon => return Err(cursor.expected(&format!("`:` or `{{` after `{}`", name.text))),
        TokenKind::Quoted => Node::Text(read_text(cursor)?),
        _ => read_scalar(cursor, name.text)?,
    };
    Ok(Field { name, node, range: start..cursor.last_end() })
}

/// Neighbouring strings are one.
fn read_text(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    while let Some(quoted) = cursor.eat(TokenKind::Quoted) {
        bytes.extend(literal::unquote(quoted.text, quoted.range.start)?);
    }
    Ok(bytes)
}

fn read_scalar<'a>(cursor: &mut Cursor<'a>, name: &str) -> Result<Node<'a>, Diagnostic> {
    let negative = cursor.eat_punct(b'-').is_some();
    match cursor.peek() {
        TokenKind::Number => Ok(Node::Number { digits: cursor.advance().text, negative }),
        TokenKind::Word => Ok(Node::Word { word: cursor.advance().text, negative }),
        _ => Err(cursor.expected(&format!("a value for `{name}`"))),
    }
}

impl<'a> Field<'a> {
    pub(crate) fn message(&self) -> Result<&Message<'a>, Diagnostic> {
        match &self.node {
            Node::Message(message) => Ok(message),
            _ => Err(self.expected("a message in braces")),
        }
    }

    pub(crate) fn text(&self) -> Result<Vec<u8>, Diagnostic> {
        match &self.node {
            Node::Text(bytes) => Ok(bytes.clone()),
            _ => Err(self.expected("a string in quotes")),
        }
    }

    pub(crate) fn utf8(&self) -> Result<String, Diagnostic> {
        String::from_utf8(self.text()?).map_err(|_| self.expected("a string of UTF-8"))
    }

    pub(crate) fn word(&self) -> Result<&'a str, Diagnostic> {
        match self.node {
            Node::Word { word, negative: false } => Ok(word),
            _ => Err(self.expected("a word")),
        }
    }

    pub(crate) fn bool(&self) -> Result<bool, Diagnostic> {
        let text = match self.node {
            Node::Word { word, negative: false } => word,
            Node::Number { digits, negative: false } => digits,
            _ => "",
        };
        bool_of(text).ok_or_else(|| self.expected("`true` or `false`"))
    }

    pub(crate) fn int<T: TryFrom<i128>>(&self) -> Result<T, Diagnostic> {
        let Node::Number { digits, negative } = self.node else {
            return Err(self.expected("an integer"));
        };
        let value = literal::integer(digits, negative, true, self.range.clone())?;
        let what = format!("`{}`", self.name.text);
        T::try_from(value).map_err(|_| literal::out_of_range(digits, &what, self.range.clone()))
    }

    pub(crate) fn float<F>(&self) -> Result<F, Diagnostic>
    where
        F: std::str::FromStr + PartialEq + Copy + std::ops::Neg<Output = F> + Into<f64>,
    {
        match self.node {
            Node::Number { digits, negative } => literal::float(digits, negative, true, self.range.clone()),
            Node::Word { word, negative } if literal::is_float_word(word) => {
                literal::float(word, negative, false, self.range.clone())
            }
            _ => Err(self.expected("a float")),
        }
    }

    /// The error that the field's value is something else.
    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("the field `{}` needs {what}", self.name.text);
        Diagnostic::new(self.range.clone(), message)
    }

    /// The error that the message has no such field.
    pub(crate) fn unknown(&self, message: &str, known: &[&str]) -> Diagnostic {
        let text = format!("{message} has no field `{}`", self.name.text);
        Diagnostic::new(self.name.range.clone(), text).with_guess(nearest(self.name.text, known.iter().copied()))
    }

    /// Sets a field that may stand there once.
    pub(crate) fn set<T>(&self, slot: &mut Option<T>, value: T) -> Result<(), Diagnostic> {
        if slot.replace(value).is_none() {
            return Ok(());
        }
        let message = format!("the field `{}` is given twice", self.name.text);
        Err(Diagnostic::new(self.name.range.clone(), message))
    }
}

/// The truth value of a word or number.
pub(crate) fn bool_of(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "t" | "1" => Some(true),
        "false" | "False" | "f" | "0" => Some(false),
        _ => None,
    }
}
