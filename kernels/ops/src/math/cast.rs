//! Conversions between dtypes.

use oplink::prelude::*;

/// Converts `x` to `DstT`.
///
/// Floats become integers by dropping the fraction; what then does not fit, and NaN, gives some value of the type.
/// Integers keep their low bits, bools are 0 and 1, complex numbers lose their imaginary part when they become real,
/// and everything but 0 is true. Rounding is to nearest even, or towards zero with `Truncate`. Quantized values count
/// as the integers that hold them; 4-bit integers come of integers and become integers only, 8-bit floats come of
/// floats only.
#[op(
    "Cast",
    is(elementwise),
    input = "x: SrcT",
    output = "y: DstT",
    attr = "SrcT: type",
    attr = "DstT: type",
    attr = "Truncate: bool = false",
    shape = shape_fns::unchanged,
)]
pub struct Cast;
