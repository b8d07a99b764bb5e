//! A constraint that is not closed.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: {'SAME', 'VALID'",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
