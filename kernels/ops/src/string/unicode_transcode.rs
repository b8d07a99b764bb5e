//! `UnicodeTranscode`: text from one encoding into another.
//!
//! The encodings of the input, and what becomes of malformed sequences and control characters, are those of
//! `UnicodeDecode`, but that control characters are errors too where malformed sequences are; a replacement that is a
//! surrogate becomes U+FFFD. The output has the shape of the input.

use super::attrs::UnicodeErrors;
use oplink::prelude::*;

/// Transcodes strings.
#[op("UnicodeTranscode",
     input = "input: string",
     output = "output: string",
     attr = "input_encoding: string",
     attr = "output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}",
     attr = "errors: {'strict', 'replace', 'ignore'} = 'replace'",
     attr = "replacement_char: int = 65533",
     attr = "replace_control_characters: bool = false",
     enums(errors = UnicodeErrors),
     shape = shape_fns::unchanged)]
pub struct UnicodeTranscode;
