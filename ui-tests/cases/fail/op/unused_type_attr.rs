//! A type attr that no argument uses.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "T: type",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
