//! Regular expressions.

use oplink::prelude::*;

/// Whether strings match the scalar `pattern`.
#[op("RegexFullMatch", input = "input: string", input = "pattern: string", output = "output: bool",
     shape = shape_fns::regex)]
pub struct RegexFullMatch;

/// Whether strings match a pattern.
#[op("StaticRegexFullMatch", input = "input: string", output = "output: bool", attr = "pattern: string",
     shape = shape_fns::unchanged)]
pub struct StaticRegexFullMatch;

/// Replaces matches of the scalar `pattern`.
///
/// In the rewrite `\1` to `\9` stand for the text of groups, `\0` for that of the whole match and `\\` for a backslash.
/// As in TensorFlow a rewrite that names a group which the pattern lacks replaces nothing, and one with another escape
/// ends there. Without `replace_global` the first match of each string is replaced only.
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
     bytes(pattern, rewrite),
     shape = shape_fns::unchanged)]
pub struct StaticRegexReplace;
