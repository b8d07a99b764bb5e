//! Numbers and strings: token text to values.

use std::ops::Range;

use crate::diagnostic::Diagnostic;

/// The bytes that the quoted string `quoted` means, C escapes resolved; `at` is its place in the text.
pub(crate) fn unquote(quoted: &str, at: usize) -> Result<Vec<u8>, Diagnostic> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().as_bytes();
    let mut bytes = Vec::with_capacity(inner.len());
    let mut i = 0;
    while i < inner.len() {
        if inner[i] == b'\\' {
            i += unescape(&inner[i + 1..], at + 1 + i, &mut bytes)? + 1;
        } else {
            bytes.push(inner[i]);
            i += 1;
        }
    }
    Ok(bytes)
}

/// Appends what the escape after a backslash means; `rest` starts after it, `at` is its place. Returns the length used.
fn unescape(rest: &[u8], at: usize, out: &mut Vec<u8>) -> Result<usize, Diagnostic> {
    let letter = rest.first().copied().unwrap_or(b' ');
    let simple = match letter {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 0x07,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'\\' | b'\'' | b'"' | b'?' => letter,
        b'0'..=b'7' => return octal(rest, at, out),
        b'x' | b'X' => return hexadecimal(rest, at, out),
        b'u' => return unicode(rest, 4, at, out),
        b'U' => return unicode(rest, 8, at, out),
        _ => {
            let diagnostic = Diagnostic::new(at..at + 1, "this backslash starts no known escape");
            return Err(diagnostic.with_help("a backslash itself is written \\\\"));
        }
    };
    out.push(simple);
    Ok(1)
}

fn octal(rest: &[u8], at: usize, out: &mut Vec<u8>) -> Result<usize, Diagnostic> {
    let len = digits(rest, 3, 8);
    match u8::try_from(value_of(&rest[..len], 8)) {
        Ok(byte) => {
            out.push(byte);
            Ok(len)
        }
        Err(_) => Err(Diagnostic::new(at..at + 1 + len, "this octal escape is more than a byte")),
    }
}

fn hexadecimal(rest: &[u8], at: usize, out: &mut Vec<u8>) -> Result<usize, Diagnostic> {
    let len = digits(&rest[1..], 2, 16);
    if len == 0 {
        let message = "this escape lacks its hexadecimal digits";
        return Err(Diagnostic::new(at..at + 2, message));
    }
    out.push(value_of(&rest[1..=len], 16) as u8);
    Ok(1 + len)
}

fn unicode(rest: &[u8], wanted: usize, at: usize, out: &mut Vec<u8>) -> Result<usize, Diagnostic> {
    let len = digits(&rest[1..], wanted, 16);
    let character = (len == wanted).then(|| char::from_u32(value_of(&rest[1..=len], 16))).flatten();
    let Some(character) = character else {
        let message = format!("this escape needs {wanted} hexadecimal digits of a character");
        return Err(Diagnostic::new(at..at + 2 + len, message));
    };
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Ok(1 + wanted)
}

/// How many of the first `max` bytes are digits of that radix.
fn digits(bytes: &[u8], max: usize, radix: u32) -> usize {
    bytes.iter().take(max).take_while(|b| char::from(**b).is_digit(radix)).count()
}

fn value_of(digits: &[u8], radix: u32) -> u32 {
    digits
        .iter()
        .filter_map(|b| char::from(*b).to_digit(radix))
        .fold(0, |value: u32, digit| value.wrapping_mul(radix).wrapping_add(digit))
}

/// A decimal integer; `hexadecimal` also allows `0x…`.
pub(crate) fn integer(
    number: &str,
    negative: bool,
    hexadecimal: bool,
    range: Range<usize>,
) -> Result<i128, Diagnostic> {
    let hex_digits = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X"));
    let (digits, radix) = match hex_digits {
        Some(digits) if hexadecimal => (digits, 16),
        _ => (number, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        let message = format!("expected an integer, found `{number}`");
        return Err(Diagnostic::new(range, message));
    }
    if radix == 10 && digits.len() > 1 && digits.starts_with('0') {
        let message = format!("`{number}` starts with a zero, which may mean an octal number");
        return Err(Diagnostic::new(range, message).with_help("write the number without it"));
    }
    match i128::from_str_radix(digits, radix) {
        Ok(value) => Ok(if negative { -value } else { value }),
        Err(_) => Err(out_of_range(number, "an int", range)),
    }
}

/// A decimal floating-point number, or the words `inf`, `infinity` and `nan`; an `f` may follow if `suffix`.
/// A number too large to be finite is an error, one too small becomes zero.
pub(crate) fn float<F>(number: &str, negative: bool, suffix: bool, range: Range<usize>) -> Result<F, Diagnostic>
where
    F: std::str::FromStr + PartialEq + Copy + std::ops::Neg<Output = F> + Into<f64>,
{
    let digits = match number.strip_suffix(['f', 'F']) {
        Some(digits) if suffix && is_decimal(digits) => digits,
        _ => number,
    };
    if !is_decimal(digits) && !is_float_word(digits) {
        let message = format!("expected a float, found `{number}`");
        return Err(Diagnostic::new(range, message));
    }
    let Ok(value) = digits.parse::<F>() else {
        let message = format!("expected a float, found `{number}`");
        return Err(Diagnostic::new(range, message));
    };
    if is_decimal(digits) && value.into().is_infinite() {
        return Err(out_of_range(number, "a float", range).with_help("infinity is written inf"));
    }
    Ok(if negative { -value } else { value })
}

/// Whether the word is a floating-point number.
pub(crate) fn is_float_word(word: &str) -> bool {
    ["inf", "infinity", "nan"].iter().any(|w| w.eq_ignore_ascii_case(word))
}

fn is_decimal(number: &str) -> bool {
    number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'))
}

pub(crate) fn out_of_range(number: &str, what: &str, range: Range<usize>) -> Diagnostic {
    Diagnostic::new(range, format!("`{number}` is out of the range of {what}"))
}
