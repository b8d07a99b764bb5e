//! `StringLower` and `StringUpper`: letters in lower or upper case.
//!
//! Without an `encoding` the letters of ASCII change and all other bytes stay; with `utf-8` all letters of Unicode change, by the
//! rules that do not depend on a language, and malformed sequences become the replacement character.

use oplink::prelude::*;

use super::strings::map;

/// Strings in lower case.
#[op("StringLower", input = "input: string", output = "output: string", attr = "encoding: string = ''",
     shape = shape_fns::unchanged)]
pub struct StringLower;

/// Strings in upper case.
#[op("StringUpper", input = "input: string", output = "output: string", attr = "encoding: string = ''",
     shape = shape_fns::unchanged)]
pub struct StringUpper;

/// `StringLower`.
#[kernel(StringLower, device = CPU)]
pub fn string_lower_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    if is_unicode(context)? {
        return map(context, |bytes| TString::from(String::from_utf8_lossy(bytes).to_lowercase()));
    }
    map(context, |bytes| TString::new(bytes.to_ascii_lowercase()))
}

/// `StringUpper`.
#[kernel(StringUpper, device = CPU)]
pub fn string_upper_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    if is_unicode(context)? {
        return map(context, |bytes| TString::from(String::from_utf8_lossy(bytes).to_uppercase()));
    }
    map(context, |bytes| TString::new(bytes.to_ascii_uppercase()))
}

fn is_unicode(context: &KernelContext<'_>) -> Result<bool> {
    match context.attr::<&[u8]>("encoding")? {
        b"" => Ok(false),
        b"utf-8" => Ok(true),
        other => bail!("encoding must be empty or `utf-8`, it is `{}`", other.escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check_with, run};

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
