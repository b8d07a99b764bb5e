//! `UnicodeEncode`: strings of code points, the rows of a ragged matrix.
//!
//! `input_splits` says where rows start and end in the vector `input_values`: it starts with 0, does not decrease and
//! ends with the number of code points. What is no code point of Unicode, or is a surrogate, becomes `replacement_char`
//! (U+FFFD where that is one itself), is left out or is an error, as `errors` says. `output_encoding` is UTF-8,
//! UTF-16-BE or UTF-32-BE.

use super::attrs::UnicodeErrors;
use oplink::prelude::*;

/// Encodes code points as strings.
#[op("UnicodeEncode",
     input = "input_values: int32",
     input = "input_splits: Tsplits",
     output = "output: string",
     attr = "errors: {'ignore', 'replace', 'strict'} = 'replace'",
     attr = "output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}",
     attr = "replacement_char: int = 65533",
     attr = "Tsplits: {int32, int64} = DT_INT64",
     enums(errors = UnicodeErrors),
     shape = shape_fns::unicode_encode)]
pub struct UnicodeEncode;
