//! A cursor over the tokens of one piece, with the errors that every part of the grammar shares.

use std::ops::Range;

use super::lexer::{Token, TokenKind, lex};
use crate::diagnostic::Diagnostic;

/// Walks the tokens of one text; never moves beyond the `End` token.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
}

/// A word or other stretch of the text with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spanned<'a> {
    pub(crate) text: &'a str,
    pub(crate) range: Range<usize>,
}

impl<'a> Cursor<'a> {
    /// A cursor over `text` from byte `start` on.
    pub(crate) fn new(text: &'a str, start: usize) -> Result<Cursor<'a>, Diagnostic> {
        Ok(Cursor { text, tokens: lex(text, start)?, next: 0 })
    }

    pub(crate) fn peek(&self) -> TokenKind {
        self.tokens[self.next].kind
    }

    /// The place of the next token.
    pub(crate) fn range(&self) -> Range<usize> {
        self.tokens[self.next].range.clone()
    }

    /// The place right after the last token taken.
    pub(crate) fn last_end(&self) -> usize {
        match self.next {
            0 => self.tokens[0].range.start,
            next => self.tokens[next - 1].range.end,
        }
    }

    pub(crate) fn advance(&mut self) -> Spanned<'a> {
        let range = self.range();
        if self.peek() != TokenKind::End {
            self.next += 1;
        }
        Spanned { text: &self.text[range.clone()], range }
    }

    /// Takes the next token if it is of that kind.
    pub(crate) fn eat(&mut self, kind: TokenKind) -> Option<Spanned<'a>> {
        (self.peek() == kind).then(|| self.advance())
    }

    /// Takes the next token if it is that character.
    pub(crate) fn eat_punct(&mut self, punct: u8) -> Option<Range<usize>> {
        self.eat(TokenKind::Punct(punct)).map(|token| token.range)
    }

    /// Takes the character; `after` says what it ends or follows, for the message.
    pub(crate) fn expect_punct(&mut self, punct: u8, after: &str) -> Result<Range<usize>, Diagnostic> {
        self.eat_punct(punct).ok_or_else(|| self.expected(&format!("`{}` {after}", char::from(punct))))
    }

    pub(crate) fn expect_word(&mut self, what: &str) -> Result<Spanned<'a>, Diagnostic> {
        self.eat(TokenKind::Word).ok_or_else(|| self.expected(what))
    }

    pub(crate) fn expect_end(&self) -> Result<(), Diagnostic> {
        if self.peek() == TokenKind::End {
            return Ok(());
        }
        let rest = self.range().start..self.tokens[self.tokens.len() - 1].range.end;
        let message = format!("expected the end, found `{}`", shorten(&self.text[rest.clone()]));
        let error = Diagnostic::new(rest, message);
        Err(match self.peek() {
            TokenKind::Punct(b',') => error.with_help("a string declares one: give the next one a string of its own"),
            _ => error,
        })
    }

    /// The error "expected …, found …" at the next token.
    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        let range = self.range();
        let found = match self.peek() {
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", shorten(&self.text[range.clone()])),
        };
        Diagnostic::new(range, format!("expected {what}, found {found}"))
    }
}

/// The text on one line and not too long for a message.
pub(crate) fn shorten(text: &str) -> String {
    const MAX: usize = 40;
    let mut short: String = text.chars().take(MAX).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MAX).is_some() {
        short.push('…');
    }
    short
}
