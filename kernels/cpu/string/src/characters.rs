//! `StringLength`, `StringStrip`, `StringLower` and `StringUpper`: the characters of strings counted, removed from the
//! ends, changed in case.
//!
//! Lengths are in bytes or in characters of UTF-8, each counted where it starts: continuation bytes are left out,
//! whether or not the string is well-formed. White space is that of ASCII: space, tab, line feed, vertical tab, form
//! feed, carriage return. Without an `encoding` the letters of ASCII change their case and all other bytes stay; with
//! `utf-8` all letters of Unicode change, by the rules that do not depend on a language, and malformed sequences become
//! the replacement character.

use super::strings::{is_continuation, map, trimmed};
use oplink::prelude::*;
use oplink_ops::string::{StringLength, StringLower, StringStrip, StringUnit, StringUpper};

/// `StringLength`.
#[kernel(StringLength, device = CPU)]
pub fn string_length_cpu(input: &Tensor, unit: StringUnit, env: Env<'_>) -> Result<Tensor> {
    match unit {
        StringUnit::Byte => map(input, env, &|bytes| bytes.len() as i32),
        StringUnit::Utf8Char => {
            map(input, env, &|bytes| bytes.iter().filter(|&&byte| !is_continuation(byte)).count() as i32)
        }
    }
}

/// `StringStrip`.
#[kernel(StringStrip, device = CPU)]
pub fn string_strip_cpu(input: &Tensor, env: Env<'_>) -> Result<Tensor> {
    map(input, env, &|bytes| TString::new(trimmed(bytes)))
}

/// `StringLower`.
#[kernel(StringLower, device = CPU)]
pub fn string_lower_cpu(input: &Tensor, encoding: &[u8], env: Env<'_>) -> Result<Tensor> {
    if is_unicode(encoding)? {
        return map(input, env, &|bytes| TString::from(String::from_utf8_lossy(bytes).to_lowercase()));
    }
    map(input, env, &|bytes| TString::new(bytes.to_ascii_lowercase()))
}

/// `StringUpper`.
#[kernel(StringUpper, device = CPU)]
pub fn string_upper_cpu(input: &Tensor, encoding: &[u8], env: Env<'_>) -> Result<Tensor> {
    if is_unicode(encoding)? {
        return map(input, env, &|bytes| TString::from(String::from_utf8_lossy(bytes).to_uppercase()));
    }
    map(input, env, &|bytes| TString::new(bytes.to_ascii_uppercase()))
}

fn is_unicode(encoding: &[u8]) -> Result<bool> {
    match encoding {
        b"" => Ok(false),
        b"utf-8" => Ok(true),
        other => bail!("encoding must be empty or `utf-8`, it is `{}`", other.escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_with, run};

    #[test]
    fn lengths() {
        let strings = || Tensor::from(["h\u{e9}\u{e9}", "", "abc"].map(TString::from));
        check_with("StringLength", &[], [strings()], [5, 0, 3]);
        check_with("StringLength", &[("unit", "UTF8_CHAR".into())], [strings()], [3, 0, 3]);
    }

    #[test]
    fn strips() {
        let strings = [" a b \t\u{b}\u{c}\r\n", "\u{1c}", "  ", ""].map(TString::from);
        check("StringStrip", [strings.into()], ["a b", "\u{1c}", "", ""].map(TString::from));
    }

    #[test]
    fn letters_change() {
        let attrs = [("encoding", "utf-8".into())];
        check_with("StringLower", &[], ["AB\u{c9}".into()], TString::from("ab\u{c9}"));
        check_with("StringLower", &attrs, ["\u{391}\u{3a3}".into()], TString::from("\u{3b1}\u{3c2}"));
        check_with("StringUpper", &attrs, ["a\u{df}".into()], TString::from("ASS"));
        check_with("StringUpper", &attrs, [TString::new([b'a', 0xFF]).into()], TString::from("A\u{fffd}"));
        assert!(run("StringLower", &[("encoding", "latin1".into())], vec!["a".into()]).is_err());
    }
}
