//! `RegexFullMatch` and `StaticRegexFullMatch`: whether whole strings match a pattern of RE2's syntax.

use std::sync::Arc;

use oplink::prelude::*;
use regex::bytes::Regex;

use super::regex::{Cache, matching_all};
use super::strings::{map, scalar};

/// Whether strings match the scalar `pattern`.
#[op("RegexFullMatch", input = "input: string", input = "pattern: string", output = "output: bool",
     shape = shape_fns::regex)]
pub struct RegexFullMatch;

/// Whether strings match a pattern.
#[op("StaticRegexFullMatch", input = "input: string", output = "output: bool", attr = "pattern: string",
     shape = shape_fns::unchanged)]
pub struct StaticRegexFullMatch;

/// `RegexFullMatch`, which keeps the last pattern.
pub struct RegexFullMatchCpu(Cache);

#[kernel(RegexFullMatch, device = CPU)]
impl Kernel for RegexFullMatchCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(Cache::default()))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let regex = self.0.get(scalar(context, 1, "pattern")?, matching_all)?;
        map(context, |string| regex.is_match(string))
    }
}

/// `StaticRegexFullMatch`.
pub struct StaticRegexFullMatchCpu(Arc<Regex>);

#[kernel(StaticRegexFullMatch, device = CPU)]
impl Kernel for StaticRegexFullMatchCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(Arc::new(matching_all(construction.attr("pattern")?)?)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        map(context, |string| self.0.is_match(string))
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_error, check_with, run};

    #[test]
    fn whole_strings_match() {
        let strings = || Tensor::from(["ab", "a", "b\n"].map(TString::from));
        check("RegexFullMatch", [strings(), "a|ab".into()], [true, true, false]);
        check("RegexFullMatch", [strings(), r"\w\s?".into()], [false, true, true]);
        check_with("StaticRegexFullMatch", &[("pattern", "a.*".into())], [strings()], [true, true, false]);
    }

    #[test]
    fn wrong_patterns_are_errors() {
        check_error("RegexFullMatch", ["a".into(), "(".into()], "invalid pattern \"(\": missing )");
        check_error("RegexFullMatch", ["a".into(), [TString::from("a")].into()], "pattern must be a scalar");
        assert!(run("StaticRegexFullMatch", &[("pattern", "a**".into())], vec!["a".into()]).is_err());
    }
}
