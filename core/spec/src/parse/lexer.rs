//! Text to tokens. The grammar and the text protos inside it share them.

use std::ops::Range;

use crate::diagnostic::Diagnostic;

/// What a token is; its text is found through its range.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A letter or underscore, then letters, digits and underscores.
    Word,
    /// A digit, or a point and a digit, then letters, digits and points, and a sign after an exponent's `e`.
    Number,
    /// A string in single or double quotes, closed, on one line.
    Quoted,
    /// `>=`.
    AtLeast,
    /// One of the characters of `PUNCTUATION`.
    Punct(u8),
    /// The end of the text.
    End,
}

const PUNCTUATION: &[u8] = b":=*(){}[]<>,;-";

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) range: Range<usize>,
}

/// The tokens of `text` from byte `start` on (a character boundary), an `End` token last; its empty range lies right
/// after the last other token.
pub(crate) fn lex(text: &str, start: usize) -> Result<Vec<Token>, Diagnostic> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = start;
    let mut end = start;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, len) = lex_one(text, at)?;
        end = at + len;
        tokens.push(Token { kind, range: at..end });
        at = end;
    }
    tokens.push(Token { kind: TokenKind::End, range: end..end });
    Ok(tokens)
}

/// The token at `at`, which is neither the end nor a space, and its length.
fn lex_one(text: &str, at: usize) -> Result<(TokenKind, usize), Diagnostic> {
    let rest = &text.as_bytes()[at..];
    let first = rest[0];
    if first.is_ascii_alphabetic() || first == b'_' {
        return Ok((TokenKind::Word, count(rest, is_word_byte)));
    }
    if first.is_ascii_digit() || (first == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) {
        return Ok((TokenKind::Number, number_len(rest)));
    }
    if first == b'\'' || first == b'"' {
        return quoted_len(rest, at).map(|len| (TokenKind::Quoted, len));
    }
    if rest.starts_with(b">=") {
        return Ok((TokenKind::AtLeast, 2));
    }
    if PUNCTUATION.contains(&first) {
        return Ok((TokenKind::Punct(first), 1));
    }
    let c = text[at..].chars().next().unwrap_or(' ');
    let message = format!("unexpected character `{}`", c.escape_debug());
    Err(Diagnostic::new(at..at + c.len_utf8(), message))
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn count(bytes: &[u8], accept: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|b| !accept(*b)).unwrap_or(bytes.len())
}

fn number_len(bytes: &[u8]) -> usize {
    let hexadecimal = bytes.starts_with(b"0x") || bytes.starts_with(b"0X");
    let mut len = 0;
    while let Some(&byte) = bytes.get(len) {
        let after_exponent = len > 0 && !hexadecimal && bytes[len - 1].eq_ignore_ascii_case(&b'e');
        let sign = (byte == b'-' || byte == b'+') && after_exponent;
        if !(is_word_byte(byte) || byte == b'.' || sign) {
            break;
        }
        len += 1;
    }
    len
}

/// The length of the string that starts `bytes`, quotes included; `at` is its place in the text.
fn quoted_len(bytes: &[u8], at: usize) -> Result<usize, Diagnostic> {
    let mut len = 1;
    while let Some(&byte) = bytes.get(len) {
        match byte {
            b'\n' => break,
            b'\\' => len += 2,
            _ if byte == bytes[0] => return Ok(len + 1),
            _ => len += 1,
        }
    }
    let quote = char::from(bytes[0]);
    Err(Diagnostic::new(at..at + 1, "this string has no end")
        .with_help(format!("close it with {quote} on the same line; a line break inside is written \\n")))
}
