//! An input of an undeclared attr.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: T",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
