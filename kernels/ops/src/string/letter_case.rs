//! `StringLower` and `StringUpper`: letters in lower or upper case.
//!
//! Without an `encoding` the letters of ASCII change and all other bytes stay; with `utf-8` all letters of Unicode
//! change, by the rules that do not depend on a language, and malformed sequences become the replacement character.

use oplink::prelude::*;

/// Strings in lower case.
#[op("StringLower", input = "input: string", output = "output: string", attr = "encoding: string = ''",
     shape = shape_fns::unchanged)]
pub struct StringLower;

/// Strings in upper case.
#[op("StringUpper", input = "input: string", output = "output: string", attr = "encoding: string = ''",
     shape = shape_fns::unchanged)]
pub struct StringUpper;
