//! Argument names are lower case.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "X: float",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
