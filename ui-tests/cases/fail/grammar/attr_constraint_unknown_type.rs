//! A constraint with an unknown type.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: T",
    output = "y: T",
    attr = "T: {float, in32}",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
