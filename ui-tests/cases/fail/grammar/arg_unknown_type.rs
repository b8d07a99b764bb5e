//! A type that does not exist.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: flaot",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
