//! Character classes and escapes of RE2's syntax.

use std::fmt::Write as _;

use super::pattern::Problem;

/// Names of the classes `[:name:]`.
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// A character as `\x{…}`, whatever it means in a pattern.
pub(super) fn code_point(c: char) -> String {
    format!("\\x{{{:x}}}", u32::from(c))
}

/// The class that `text` starts with, and what follows it.
pub(super) fn translate(text: &str) -> Result<(String, &str), Problem> {
    let missing = || format!("missing ]: {text}");
    let mut rest = &text[1..];
    let mut out = String::from("[");
    if let Some(negated) = rest.strip_prefix('^') {
        out.push('^');
        rest = negated;
    }
    let mut is_first = true;
    loop {
        match rest.chars().next() {
            None => return Err(missing()),
            Some(']') if !is_first => break,
            Some(_) => {}
        }
        is_first = false;
        if let Some((group, after)) = posix(rest)?.or_else(|| group(rest)) {
            out.push_str(&group);
            rest = after;
            continue;
        }
        let (low, after) = character(rest).map_err(|problem| problem.unwrap_or_else(missing))?;
        let range = after.strip_prefix('-').filter(|high| !high.starts_with(']') && !high.is_empty());
        let Some(high) = range else {
            out.push_str(&code_point(low));
            rest = after;
            continue;
        };
        let (high, after) = character(high).map_err(|problem| problem.unwrap_or_else(missing))?;
        if high < low {
            return Err(format!("invalid character class range: {}", &rest[..rest.len() - after.len()]));
        }
        write!(out, "{}-{}", code_point(low), code_point(high)).map_err(|error| error.to_string())?;
        rest = after;
    }
    out.push(']');
    Ok((out, &rest[1..]))
}

/// A class `[:name:]` inside of a class; `[:` without `:]` is no class.
fn posix(text: &str) -> Result<Option<(String, &str)>, Problem> {
    let Some((name, rest)) = text.strip_prefix("[:").and_then(|inside| inside.split_once(":]")) else {
        return Ok(None);
    };
    if !POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Err(format!("invalid character class range: [:{name}:]"));
    }
    Ok(Some((format!("[:{name}:]"), rest)))
}

/// An escape that stands for several characters, as the inside of a class, and what follows it.
pub(super) fn group(text: &str) -> Option<(String, &str)> {
    let rest = text.get(2..)?;
    let group = match &text.as_bytes()[..2] {
        b"\\d" => "0-9",
        b"\\D" => "[^0-9]",
        b"\\s" => r"\t\n\f\r\x20",
        b"\\S" => r"[^\t\n\f\r\x20]",
        b"\\w" => "0-9A-Za-z_",
        b"\\W" => "[^0-9A-Za-z_]",
        b"\\p" | b"\\P" => return property(&text[..2], rest),
        _ => return None,
    };
    Some((group.to_owned(), rest))
}

/// `\pN` or `\p{Name}`, negated by `\P` and by `^` before the name.
fn property<'a>(escape: &str, text: &'a str) -> Option<(String, &'a str)> {
    let (name, rest) = match text.strip_prefix('{') {
        Some(inside) => inside.split_once('}')?,
        None => text.split_at_checked(text.chars().next()?.len_utf8())?,
    };
    let (name, is_negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
    let letter = if (escape == "\\P") == is_negated { 'p' } else { 'P' };
    Some((format!("\\{letter}{{{name}}}"), rest))
}

/// One character of a class. An error without a message is the end of the pattern.
fn character(text: &str) -> Result<(char, &str), Option<Problem>> {
    let c = text.chars().next().ok_or(None)?;
    if c == '\\' { escape(text).map_err(Some) } else { Ok((c, &text[c.len_utf8()..])) }
}

/// The character that an escape stands for, and what follows it.
pub(super) fn escape(text: &str) -> Result<(char, &str), Problem> {
    let escaped = text.chars().nth(1).ok_or("trailing \\")?;
    let rest = &text[1 + escaped.len_utf8()..];
    let invalid = || format!("invalid escape sequence: \\{escaped}");
    let simple = match escaped {
        'a' => '\x07',
        'f' => '\x0C',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0B',
        'x' => return hexadecimal(rest).ok_or_else(invalid),
        '0'..='7' => return octal(&text[1..]).ok_or_else(invalid),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => c,
        _ => return Err(invalid()),
    };
    Ok((simple, rest))
}

/// Up to three octal digits; a single one other than 0 would be a reference to a group.
fn octal(text: &str) -> Option<(char, &str)> {
    let length = text.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if length == 1 && !text.starts_with('0') {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(&text[..length], 8).ok()?)?;
    Some((c, &text[length..]))
}

/// Two hexadecimal digits, or any number of them in braces.
fn hexadecimal(text: &str) -> Option<(char, &str)> {
    let (digits, rest) = match text.strip_prefix('{') {
        Some(inside) => inside.split_once('}')?,
        None => text.split_at_checked(2)?,
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = is_number.then(|| u32::from_str_radix(digits, 16).ok())??;
    Some((char::from_u32(code)?, rest))
}
