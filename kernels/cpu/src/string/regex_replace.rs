//! `RegexReplace` and `StaticRegexReplace`: matches of a pattern of RE2's syntax replaced by a rewrite.
//!
//! In the rewrite `\1` to `\9` stand for the text of groups, `\0` for that of the whole match and `\\` for a backslash. As in
//! TensorFlow a rewrite that names a group which the pattern lacks replaces nothing, and one with another escape ends there. Without
//! `replace_global` the first match of each string is replaced only.

use std::sync::Arc;

use oplink::prelude::*;
use regex::bytes::Regex;

use super::regex::{Cache, Rewrite, searching};
use super::strings::{map, scalar};

/// Replaces matches of the scalar `pattern`.
#[op("RegexReplace",
     input = "input: string",
     input = "pattern: string",
     input = "rewrite: string",
     output = "output: string",
     attr = "replace_global: bool = true",
     shape = shape_fns::regex)]
pub struct RegexReplace;

/// Replaces matches of a pattern.
#[op("StaticRegexReplace",
     input = "input: string",
     output = "output: string",
     attr = "pattern: string",
     attr = "rewrite: string",
     attr = "replace_global: bool = true",
     shape = shape_fns::unchanged)]
pub struct StaticRegexReplace;

/// `RegexReplace`, which keeps the last pattern.
pub struct RegexReplaceCpu(Cache);

#[kernel(RegexReplace, device = CPU)]
impl Kernel for RegexReplaceCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(Cache::default()))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let regex = self.0.get(scalar(context, 1, "pattern")?, searching)?;
        let rewrite = scalar(context, 2, "rewrite")?.to_vec();
        replace(context, &regex, &rewrite)
    }
}

/// `StaticRegexReplace`.
pub struct StaticRegexReplaceCpu(Arc<Regex>);

#[kernel(StaticRegexReplace, device = CPU)]
impl Kernel for StaticRegexReplaceCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(Arc::new(searching(construction.attr("pattern")?)?)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let rewrite: &[u8] = context.attr("rewrite")?;
        replace(context, &self.0, rewrite)
    }
}

fn replace(context: &mut KernelContext<'_>, regex: &Regex, rewrite: &[u8]) -> Result<()> {
    let (rewrite, is_global) = (Rewrite::new(rewrite), context.attr("replace_global")?);
    map(context, |string| TString::new(rewrite.apply(regex, string, is_global)))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_with};

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
    }
}
