//! A list(type) attr cannot be repeated.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: N * Ts",
    output = "y: float",
    attr = "N: int >= 1",
    attr = "Ts: list(type)",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
