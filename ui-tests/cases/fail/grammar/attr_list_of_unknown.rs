//! A list of an unknown kind.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: list(integer)",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
