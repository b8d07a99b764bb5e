//! `StringJoin`: strings of several tensors joined element by element.
//!
//! The inputs have one shape, scalars join with every element; the attr `separator` stands between.

use oplink::prelude::*;

/// Joins strings of several tensors.
#[op("StringJoin",
     input = "inputs: N * string",
     output = "output: string",
     attr = "N: int >= 0",
     attr = "separator: string = ''",
     shape = shape_fns::string_join)]
pub struct StringJoin;
