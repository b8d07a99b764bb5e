//! Types and strings in one constraint.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: {float, 'SAME'}",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
