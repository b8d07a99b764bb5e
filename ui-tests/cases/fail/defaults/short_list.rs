//! A list default shorter than its minimum.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: list(int) >= 2 = [1]",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
