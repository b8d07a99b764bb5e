//! `StringStrip`: strings without white space at both ends.
//!
//! White space is that of ASCII: space, tab, line feed, vertical tab, form feed, carriage return.

use oplink::prelude::*;

/// Strings without white space at both ends.
#[op("StringStrip", input = "input: string", output = "output: string", shape = shape_fns::unchanged)]
pub struct StringStrip;
