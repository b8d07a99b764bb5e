//! An output of an undeclared attr.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: T",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
