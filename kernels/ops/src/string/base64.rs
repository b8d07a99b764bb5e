//! `EncodeBase64` and `DecodeBase64`: bytes as text of the URL- and filename-safe alphabet (RFC 4648, section 5).
//!
//! Encoding adds `=` up to a multiple of four characters where the attr `pad` says so. Decoding takes text with and
//! without them; a character outside of the alphabet, a length of 1 modulo 4 and padding short of a multiple of four
//! are errors.

use oplink::prelude::*;

/// Encodes strings in base64.
#[op("EncodeBase64", input = "input: string", output = "output: string", attr = "pad: bool = false",
     shape = shape_fns::unchanged)]
pub struct EncodeBase64;

/// Decodes strings of base64.
#[op("DecodeBase64", input = "input: string", output = "output: string", shape = shape_fns::unchanged)]
pub struct DecodeBase64;
