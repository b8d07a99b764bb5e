//! A key that does not exist.

use oplink::prelude::*;

#[op(
    "Bad",
    inputs = "x: float",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
