//! `DecodeRaw`: the bytes of strings as elements of a dtype.
//!
//! All strings have one length, a multiple of the element's size; the output has the input's shape and one more axis
//! with the elements of a string. Bytes are little-endian, or big-endian without the attr `little_endian` (each part of
//! a complex number by itself). Bools are true for any byte but 0.

use oplink::prelude::*;

/// Reads the bytes of strings as numbers.
#[op("DecodeRaw",
     input = "bytes: string",
     output = "output: out_type",
     attr = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16}",
     attr = "little_endian: bool = true",
     shape = shape_fns::decode_raw)]
pub struct DecodeRaw;
