//! An int attr with a string default.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: int = 'one'",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
