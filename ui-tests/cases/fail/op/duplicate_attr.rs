//! Two attrs of one name.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: int",
    attr = "a: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
