//! Regular expressions in RE2's syntax, run by the crate `regex`, which has the same semantics: linear time, leftmost
//! match, earlier alternatives first.

mod class;
mod pattern;
mod rewrite;

use std::sync::{Arc, Mutex, PoisonError};

use oplink::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

pub(super) use rewrite::Rewrite;

use super::strings::shown;

/// Bytes of a pattern at most: compiling a longer one takes too long.
const LONGEST: usize = 1 << 19;

/// Compiles a pattern of RE2's syntax between a prefix and a suffix of the crate's own.
fn compile(prefix: &str, pattern: &[u8], suffix: &str) -> Result<Regex> {
    let invalid = |why: &str| Error::invalid_argument(format!("invalid pattern {}: {why}", shown(pattern)));
    let bytes = pattern.len();
    ensure!(bytes <= LONGEST, "a pattern of {bytes} bytes is too long, {LONGEST} are the most");
    let text = std::str::from_utf8(pattern).map_err(|_| invalid("it is not UTF-8"))?;
    let translated = pattern::translate(text).map_err(|why| invalid(&why))?;
    let built = RegexBuilder::new(&format!("{prefix}{translated}{suffix}")).build();
    built.map_err(|error| invalid(&error.to_string()))
}

/// A pattern to search for.
pub(super) fn searching(pattern: &[u8]) -> Result<Regex> {
    compile("", pattern, "")
}

/// A pattern that must match whole strings.
pub(super) fn matching_all(pattern: &[u8]) -> Result<Regex> {
    compile(r"\A(?:", pattern, r")\z")
}

/// The last pattern of a node, compiled.
#[derive(Default)]
pub(super) struct Cache(Mutex<Option<(Vec<u8>, Arc<Regex>)>>);

impl Cache {
    /// The pattern, compiled anew where it is not the last one.
    pub(super) fn get(&self, pattern: &[u8], compile: fn(&[u8]) -> Result<Regex>) -> Result<Arc<Regex>> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((source, regex)) = &*last
            && source == pattern
        {
            return Ok(regex.clone());
        }
        let regex = Arc::new(compile(pattern)?);
        *last = Some((pattern.to_vec(), regex.clone()));
        Ok(regex)
    }
}
