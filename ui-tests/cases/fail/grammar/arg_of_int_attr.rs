//! An int attr is no type.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: N",
    output = "y: float",
    attr = "N: int",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
