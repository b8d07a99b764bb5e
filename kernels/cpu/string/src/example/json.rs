//! JSON, read from front to end, as leniently as protobuf reads it: keys without quotes, single quotes, a comma after
//! the last element, control characters in strings.

/// Why text is not the JSON that is wanted.
pub(super) type Parsed<T> = Result<T, String>;

/// How deep arrays may lie in each other.
const DEPTH: usize = 100;

/// A string or a number.
pub(super) enum Scalar<'a> {
    /// A string, without its quotes and escapes.
    Text(String),
    /// A number, as it is written.
    Number(&'a str),
    /// Nothing.
    Null,
}

/// The text that is not read yet.
pub(super) struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// An error where there is more than white space.
    pub(super) fn end(mut self) -> Parsed<()> {
        match self.peek() {
            None => Ok(()),
            Some(next) => Err(format!("{next:?} after the end")),
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.text = self.text.trim_start_matches([' ', '\t', '\n', '\r']);
        self.text.chars().next()
    }

    fn accept(&mut self, wanted: &str) -> bool {
        self.peek();
        let rest = self.text.strip_prefix(wanted);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn expect(&mut self, wanted: &str) -> Parsed<()> {
        if self.accept(wanted) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    fn unexpected(&mut self, wanted: &str) -> String {
        match self.peek() {
            Some(next) => format!("{next:?} where {wanted} is expected"),
            None => format!("the text ends where {wanted} is expected"),
        }
    }

    /// Takes `null`, if that comes next.
    pub(super) fn null(&mut self) -> bool {
        self.accept("null")
    }

    /// Takes an object; `member` takes the value of each key.
    pub(super) fn object(&mut self, mut member: impl FnMut(&mut Self, String) -> Parsed<()>) -> Parsed<()> {
        self.expect("{")?;
        while !self.accept("}") {
            let key = self.key()?;
            self.expect(":")?;
            member(self, key)?;
            if !self.accept(",") {
                return self.expect("}");
            }
        }
        Ok(())
    }

    /// Takes a scalar, or all of an array, arrays in it as their elements.
    pub(super) fn scalars(&mut self, each: &mut dyn FnMut(Scalar<'a>) -> Parsed<()>) -> Parsed<()> {
        let mut depth = 0;
        loop {
            while self.accept("[") {
                depth += 1;
                if depth > DEPTH {
                    return Err(format!("arrays lie in each other more than {DEPTH} deep"));
                }
            }
            if !(depth > 0 && self.peek() == Some(']')) {
                each(self.scalar()?)?;
            }
            loop {
                if depth == 0 {
                    return Ok(());
                }
                let more = self.accept(",");
                if self.accept("]") {
                    depth -= 1;
                } else if more {
                    break;
                } else {
                    return Err(self.unexpected("]"));
                }
            }
        }
    }

    fn scalar(&mut self) -> Parsed<Scalar<'a>> {
        match self.peek() {
            Some('"' | '\'') => Ok(Scalar::Text(self.string()?)),
            Some('-' | '0'..='9') => Ok(Scalar::Number(self.number()?)),
            _ if self.null() => Ok(Scalar::Null),
            _ => Err(self.unexpected("a number or a string")),
        }
    }

    fn key(&mut self) -> Parsed<String> {
        if matches!(self.peek(), Some('"' | '\'')) {
            return self.string();
        }
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let length = self.text.find(|c| !is_letter(c)).unwrap_or(self.text.len());
        let (key, rest) = self.text.split_at(length);
        if key.is_empty() || key.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.unexpected("a key"));
        }
        self.text = rest;
        Ok(key.to_owned())
    }

    fn number(&mut self) -> Parsed<&'a str> {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let length = self.text.find(|c| !is_part(c)).unwrap_or(self.text.len());
        let (number, rest) = self.text.split_at(length);
        self.text = rest;
        let unsigned = number.strip_prefix('-').unwrap_or(number);
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let fits = are_digits(whole)
            && (whole == "0" || !whole.starts_with('0'))
            && are_digits(fraction)
            && are_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
        if fits { Ok(number) } else { Err(format!("{number:?} is no number")) }
    }

    fn string(&mut self) -> Parsed<String> {
        let quote = self.peek().unwrap_or('"');
        let mut out = String::new();
        let mut chars = self.text.char_indices();
        chars.next();
        while let Some((at, next)) = chars.next() {
            match next {
                _ if next == quote => {
                    self.text = &self.text[at + next.len_utf8()..];
                    return Ok(out);
                }
                '\\' => {
                    let (escaped, length) = escape(&self.text[at + 1..])?;
                    out.push(escaped);
                    for _ in 0..length {
                        chars.next();
                    }
                }
                _ => out.push(next),
            }
        }
        Err("a string does not end".into())
    }
}

/// The character of what follows a backslash, and the number of characters that it takes.
fn escape(text: &str) -> Parsed<(char, usize)> {
    let simple = match text.chars().next() {
        Some(same @ ('"' | '\\' | '/' | '\'')) => same,
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unicode(&text[1..]),
        _ => return Err("an unknown escape in a string".into()),
    };
    Ok((simple, 1))
}

/// As [`escape`], of what follows `\u`.
fn unicode(text: &str) -> Parsed<(char, usize)> {
    let unit = |text: &str| text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let first = unit(text).ok_or("an escape without four hexadecimal digits")?;
    let second = text.get(4..6).filter(|&mark| mark == "\\u").and_then(|_| unit(&text[6..]));
    let units = [first, second.unwrap_or_default()];
    match char::decode_utf16(units).next() {
        Some(Ok(found)) => Ok((found, if found.len_utf16() == 2 { 11 } else { 5 })),
        _ => Err("half of a character in a string".into()),
    }
}
