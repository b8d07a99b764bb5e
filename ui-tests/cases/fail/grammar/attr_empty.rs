//! An empty attr.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
