//! `UnicodeScript`: the script that each code point is written in.
//!
//! Scripts have the numbers that ICU gives them (`UScriptCode`): 0 is Common, 25 Latin, 103 Unknown, which are code
//! points without a character and surrogates. Numbers that are no code points give -1. The output has the shape of the
//! input. TensorFlow 2.21 knows the characters of Unicode 13, the kernel those of Unicode 18, but for scripts that have
//! no number yet.

use oplink::prelude::*;

/// The script of each code point.
#[op("UnicodeScript", input = "input: int32", output = "output: int32", shape = shape_fns::unchanged)]
pub struct UnicodeScript;
