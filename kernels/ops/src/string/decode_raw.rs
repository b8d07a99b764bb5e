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

/// Reads the first `fixed_length` bytes of strings as numbers, zeros where a string is shorter.
///
/// The output has the input's shape and one more axis with `fixed_length` bytes of elements, a multiple of their size.
#[op(
    "DecodePaddedRaw",
    no_gradient,
    input = "input_bytes: string",
    input = "fixed_length: int32",
    output = "output: out_type",
    attr = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, bfloat16}",
    attr = "little_endian: bool = true"
)]
pub fn decode_padded_raw(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    let dtype: Option<DType> = c.attr_if_known("out_type")?;
    let size = dtype.and_then(DType::size);
    let width = match (c.constant_int(1)?, size) {
        (Some(length), Some(size)) => {
            let length = usize::try_from(length).ok().filter(|length| length.is_multiple_of(size) && *length > 0);
            ensure!(length.is_some(), "fixed_length must be a multiple of {size} above 0");
            length.map(|length| length / size)
        }
        _ => None,
    };
    let shape = c.concatenate(c.input(0), &PartialShape::new(&[width]));
    c.set_output(0, shape);
    Ok(())
}
