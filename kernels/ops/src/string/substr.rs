//! `Substr`: a part of each string.
//!
//! `pos` is the first position, negative ones counted from the end, `len` the number of positions, fewer where the
//! string ends. Both have one shape: that of the input, a scalar's, or one that broadcasts with the input's to at most
//! two axes. Positions are bytes or, with the unit `UTF8_CHAR`, characters: a byte and those that go on with it,
//! whether or not they are well-formed. In bytes a negative `len` means the rest of the string; in characters it gives
//! an empty string, and is an error after a negative `pos`. A position outside of a string is an error.

use super::attrs::StringUnit;
use oplink::prelude::*;

/// A part of each string.
#[op("Substr",
     input = "input: string",
     input = "pos: T",
     input = "len: T",
     output = "output: string",
     attr = "T: {int32, int64}",
     attr = "unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'",
     enums(unit = StringUnit),
     shape = shape_fns::substr)]
pub struct Substr;
