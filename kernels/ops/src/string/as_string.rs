//! `AsString`: each element as text.
//!
//! Numbers are written as by C's `printf`: with `width` characters at least, filled up as the flag `fill` says (`0`
//! with zeros, `-` on the right, `+` and a space add a sign); floating and complex numbers with `precision` digits
//! after the point (6 where it is negative), in `scientific` or the `shortest` notation. Bools are `true` and `false`,
//! strings stay themselves but for the width, with which they also lose what is beyond `precision` bytes. Precision and
//! notations of other dtypes are errors, as are other fills. Variants are not implemented.

use oplink::prelude::*;

/// Writes each element as text.
#[op("AsString",
     input = "input: T",
     output = "output: string",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, complex64, \
             complex128, bool, variant, string}",
     attr = "precision: int = -1",
     attr = "scientific: bool = false",
     attr = "shortest: bool = false",
     attr = "width: int = -1",
     attr = "fill: string = ''",
     shape = shape_fns::unchanged)]
pub struct AsString;
