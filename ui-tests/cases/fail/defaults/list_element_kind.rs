//! A list default with an element of another kind.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: list(int) = [1, 'b']",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
