//! An input without a type.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
