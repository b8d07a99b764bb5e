//! An empty input.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
