//! `RegexReplace` and `StaticRegexReplace`: matches of a pattern of RE2's syntax replaced by a rewrite.
//!
//! In the rewrite `\1` to `\9` stand for the text of groups, `\0` for that of the whole match and `\\` for a backslash.
//! As in TensorFlow a rewrite that names a group which the pattern lacks replaces nothing, and one with another escape
//! ends there. Without `replace_global` the first match of each string is replaced only.

use super::regex::{Cache, Rewrite, searching};
use super::strings::{scalar, try_map};
use oplink::prelude::*;
use oplink_ops::string::{RegexReplace, RegexReplaceInputs, RegexReplaceOutputs};
use oplink_ops::string::{StaticRegexReplace, StaticRegexReplaceInputs, StaticRegexReplaceOutputs};
use regex::bytes::Regex;

/// `RegexReplace`, which keeps the last pattern.
pub struct RegexReplaceCpu {
    cache: Cache,
    is_global: bool,
}

#[kernel(RegexReplace, device = CPU)]
impl Kernel for RegexReplaceCpu {
    type Op = RegexReplace;

    fn new(construction: Construction<'_, RegexReplace>) -> Result<Self> {
        Ok(Self { cache: Cache::default(), is_global: construction.attrs.replace_global })
    }

    fn compute(
        &self,
        inputs: RegexReplaceInputs<'_>,
        outputs: &mut RegexReplaceOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let regex = self.cache.get(scalar(&inputs.pattern, "pattern")?, searching)?;
        let rewrite = scalar(&inputs.rewrite, "rewrite")?;
        outputs.output.set(replace(&inputs.input, &regex, rewrite, self.is_global, env)?);
        Ok(())
    }
}

/// `StaticRegexReplace`.
pub struct StaticRegexReplaceCpu {
    regex: Regex,
    rewrite: Vec<u8>,
    is_global: bool,
}

#[kernel(StaticRegexReplace, device = CPU)]
impl Kernel for StaticRegexReplaceCpu {
    type Op = StaticRegexReplace;

    fn new(construction: Construction<'_, StaticRegexReplace>) -> Result<Self> {
        let attrs = construction.attrs;
        Ok(Self { regex: searching(attrs.pattern)?, rewrite: attrs.rewrite.to_vec(), is_global: attrs.replace_global })
    }

    fn compute(
        &self,
        inputs: StaticRegexReplaceInputs<'_>,
        outputs: &mut StaticRegexReplaceOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        outputs.output.set(replace(&inputs.input, &self.regex, &self.rewrite, self.is_global, env)?);
        Ok(())
    }
}

fn replace(input: &Tensor, regex: &Regex, rewrite: &[u8], is_global: bool, env: Env<'_>) -> Result<Tensor> {
    let rewrite = Rewrite::new(rewrite);
    try_map(input, env, &|string| Ok(TString::new(rewrite.apply(regex, string, is_global, &env)?)))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_with};

    #[test]
    fn matches_are_replaced() {
        let cases = [
            ("abcabc", "b", "X", "aXcaXc"),
            ("abc", "(a)(b)", r"\2\1", "bac"),
            ("abc", "(a)", r"\2", "abc"),
            ("abc", "b*", "-", "-a-c-"),
            ("h\u{e9}\u{e9}", "", "-", "-h-\u{e9}-\u{e9}-"),
            ("a{,2}", "a{,2}", "x", "x"),
            ("[", "[[]", "x", "x"),
            ("a.b", r"\Q.\E", "x", "axb"),
        ];
        for (string, pattern, rewrite, expected) in cases {
            check("RegexReplace", [string.into(), pattern.into(), rewrite.into()], TString::from(expected));
        }
        let attrs = [("pattern", "b".into()), ("rewrite", "X".into()), ("replace_global", false.into())];
        check_with("StaticRegexReplace", &attrs, ["abcabc".into()], TString::from("aXcabc"));
        let bytes = AttrValue::String(b"\xff".to_vec());
        let attrs = [("pattern", "b".into()), ("rewrite", bytes)];
        check_with("StaticRegexReplace", &attrs, ["abc".into()], TString::new(b"a\xffc"));
    }
}
