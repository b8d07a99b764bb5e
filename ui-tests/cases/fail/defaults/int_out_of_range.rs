//! An int default that does not fit.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: int = 99999999999999999999",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
