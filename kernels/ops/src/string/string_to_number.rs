//! `StringToNumber`: numbers written as text.
//!
//! White space at both ends is ignored. Integers are decimal with an optional sign (unsigned ones take no `-`) and must
//! fit the dtype. Floating-point numbers are decimal, hexadecimal with a binary exponent, `inf`, `infinity` or `nan` in
//! letters of either case; beyond the range they become infinite. Anything else is an error.

use oplink::prelude::*;

/// Reads numbers.
#[op("StringToNumber",
     input = "string_tensor: string",
     output = "output: out_type",
     attr = "out_type: {float, double, int32, int64, uint32, uint64} = DT_FLOAT",
     shape = shape_fns::unchanged)]
pub struct StringToNumber;
