//! A flag that does not exist.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    statefull,
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
