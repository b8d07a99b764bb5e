//! A default below the minimum.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: int >= 2 = 1",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
