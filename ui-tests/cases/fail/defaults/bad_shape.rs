//! A shape default that is no shape.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: shape = { dim { siz: 1 } }",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
