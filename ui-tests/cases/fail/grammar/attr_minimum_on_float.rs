//! A minimum is for ints and lists.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: float >= 1",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
