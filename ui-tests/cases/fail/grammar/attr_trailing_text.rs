//! Text after the default.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: int = 1 2",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
