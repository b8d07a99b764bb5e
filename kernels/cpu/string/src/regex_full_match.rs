//! `RegexFullMatch` and `StaticRegexFullMatch`: whether whole strings match a pattern of RE2's syntax.

use super::regex::{Cache, matching_all};
use super::strings::{map, scalar};
use oplink::prelude::*;
use oplink_ops::string::{RegexFullMatch, RegexFullMatchInputs, RegexFullMatchOutputs};
use oplink_ops::string::{StaticRegexFullMatch, StaticRegexFullMatchInputs, StaticRegexFullMatchOutputs};
use regex::bytes::Regex;

/// `RegexFullMatch`, which keeps the last pattern.
pub struct RegexFullMatchCpu(Cache);

#[kernel(RegexFullMatch, device = CPU)]
impl Kernel for RegexFullMatchCpu {
    type Op = RegexFullMatch;

    fn new(_: Construction<'_, RegexFullMatch>) -> Result<Self> {
        Ok(Self(Cache::default()))
    }

    fn compute(
        &self,
        inputs: RegexFullMatchInputs<'_>,
        outputs: &mut RegexFullMatchOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let regex = self.0.get(scalar(&inputs.pattern, "pattern")?, matching_all)?;
        outputs.output.set(map(&inputs.input, env, &|string| regex.is_match(string))?);
        Ok(())
    }
}

/// `StaticRegexFullMatch`.
pub struct StaticRegexFullMatchCpu(Regex);

#[kernel(StaticRegexFullMatch, device = CPU)]
impl Kernel for StaticRegexFullMatchCpu {
    type Op = StaticRegexFullMatch;

    fn new(construction: Construction<'_, StaticRegexFullMatch>) -> Result<Self> {
        matching_all(construction.attrs.pattern.as_bytes()).map(Self)
    }

    fn compute(
        &self,
        inputs: StaticRegexFullMatchInputs<'_>,
        outputs: &mut StaticRegexFullMatchOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        outputs.output.set(map(&inputs.input, env, &|string| self.0.is_match(string))?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error, check_with, run};

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
