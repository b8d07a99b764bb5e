//! `StringLength`: how long strings are, in bytes or in characters of UTF-8.
//!
//! A character counts where it starts: bytes that go on with one are left out, whether or not the string is
//! well-formed.

use super::attrs::StringUnit;
use oplink::prelude::*;

/// The length of each string.
#[op("StringLength",
     input = "input: string",
     output = "output: int32",
     attr = "unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'",
     enums(unit = StringUnit),
     shape = shape_fns::unchanged)]
pub struct StringLength;
