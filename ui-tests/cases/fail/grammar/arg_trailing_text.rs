//! Text after the type.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float float",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
