//! A kind that does not exist.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: integer",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
