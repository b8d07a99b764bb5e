//! `UnicodeDecode`, `UnicodeDecodeWithOffsets`: the code points of strings, as a ragged matrix with a row for each
//! string.
//!
//! The outputs are the row splits, one more than strings, and the code points. A malformed sequence becomes
//! `replacement_char`, is left out or is an error, as `errors` says; with `replace_control_characters` so do the
//! control characters below 0x20, but for the error. `input_encoding` is UTF-8, UTF-16 or UTF-32 (with `-BE` or `-LE`,
//! or by byte order mark), US-ASCII or ISO-8859-1; others that TensorFlow takes from ICU are not implemented.

use super::attrs::UnicodeErrors;
use oplink::prelude::*;

/// Decodes strings into code points.
#[op("UnicodeDecode",
     input = "input: string",
     output = "row_splits: Tsplits",
     output = "char_values: int32",
     attr = "input_encoding: string",
     attr = "errors: {'strict', 'replace', 'ignore'} = 'replace'",
     attr = "replacement_char: int = 65533",
     attr = "replace_control_characters: bool = false",
     attr = "Tsplits: {int32, int64} = DT_INT64",
     enums(errors = UnicodeErrors),
     shape = shape_fns::unicode_decode)]
pub struct UnicodeDecode;

/// As [`UnicodeDecode`], with the position in its string at which the bytes of each code point start.
#[op("UnicodeDecodeWithOffsets",
     input = "input: string",
     output = "row_splits: Tsplits",
     output = "char_values: int32",
     output = "char_to_byte_starts: int64",
     attr = "input_encoding: string",
     attr = "errors: {'strict', 'replace', 'ignore'} = 'replace'",
     attr = "replacement_char: int = 65533",
     attr = "replace_control_characters: bool = false",
     attr = "Tsplits: {int32, int64} = DT_INT64",
     enums(errors = UnicodeErrors),
     shape = decoded_with_offsets)]
pub struct UnicodeDecodeWithOffsets;

/// As `UnicodeDecode`, and another vector.
fn decoded_with_offsets(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::unicode_decode(c)?;
    c.set_output(2, PartialShape::new(&[None]));
    Ok(())
}
