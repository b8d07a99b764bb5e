//! Messages in protobuf's text form, as far as small files have them: fields that are numbers, names or strings.

/// The fields of a message in their order, strings without quotes and escapes.
///
/// # Errors
/// The text has another form.
pub(super) fn fields(text: &[u8]) -> Result<Vec<(String, Vec<u8>)>, &'static str> {
    let (mut rest, mut fields) = (trimmed(text), Vec::new());
    while !rest.is_empty() {
        let name = take_word(&mut rest);
        if name.is_empty() {
            return Err("a field has no name");
        }
        rest = trimmed(rest);
        rest = trimmed(rest.strip_prefix(b":").ok_or("a field has no value")?);
        let mut value = Vec::new();
        match rest.first() {
            Some(b'"' | b'\'') => {
                // Strings one after the other are one.
                while let Some(&quote @ (b'"' | b'\'')) = rest.first() {
                    rest = take_string(&rest[1..], quote, &mut value)?;
                    rest = trimmed(rest);
                }
            }
            _ => {
                value = take_word(&mut rest);
                if value.is_empty() {
                    return Err("a field has no value");
                }
            }
        }
        rest = trimmed(rest);
        if let Some(b',' | b';') = rest.first() {
            rest = trimmed(&rest[1..]);
        }
        fields.push((String::from_utf8_lossy(&name).into_owned(), value));
    }
    Ok(fields)
}

/// The text from the first character on that is neither white space nor part of a comment.
fn trimmed(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    match text.first() {
        Some(b'#') => trimmed(text.iter().position(|&byte| byte == b'\n').map_or(&[], |end| &text[end..])),
        _ => text,
    }
}

/// Takes a name or a number from the front.
fn take_word(text: &mut &[u8]) -> Vec<u8> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+.".contains(byte);
    let end = text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    *text = rest;
    word.to_vec()
}

/// Appends a string whose quote was taken; the text behind it.
fn take_string<'a>(mut text: &'a [u8], quote: u8, out: &mut Vec<u8>) -> Result<&'a [u8], &'static str> {
    loop {
        match text {
            [byte, rest @ ..] if *byte == quote => return Ok(rest),
            [b'\\', rest @ ..] => text = take_escape(rest, out)?,
            [b'\n', ..] | [] => return Err("a string has no end"),
            [byte, rest @ ..] => {
                out.push(*byte);
                text = rest;
            }
        }
    }
}

/// Appends what follows a backslash; the text behind it.
fn take_escape<'a>(text: &'a [u8], out: &mut Vec<u8>) -> Result<&'a [u8], &'static str> {
    const WHY: &str = "a string has an unknown escape";
    let (&first, rest) = text.split_first().ok_or(WHY)?;
    let number = |digits: &[u8], radix| {
        let value = digits
            .iter()
            .fold(0u32, |value, &digit| value * radix + char::from(digit).to_digit(radix).unwrap_or_default());
        u8::try_from(value).map_err(|_| WHY)
    };
    let digits = |text: &[u8], most: usize, radix| {
        text.iter().take(most).take_while(|&&byte| char::from(byte).is_digit(radix)).count()
    };
    let (byte, rest) = match first {
        b'n' => (b'\n', rest),
        b'r' => (b'\r', rest),
        b't' => (b'\t', rest),
        b'0'..=b'7' => {
            let count = digits(text, 3, 8);
            (number(&text[..count], 8)?, &text[count..])
        }
        b'x' => {
            let count = digits(rest, 2, 16);
            if count == 0 {
                return Err(WHY);
            }
            (number(&rest[..count], 16)?, &rest[count..])
        }
        b'"' | b'\'' | b'\\' | b'?' => (first, rest),
        _ => return Err(WHY),
    };
    out.push(byte);
    Ok(rest)
}
