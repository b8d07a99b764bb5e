//! Two inputs of one name.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    input = "x: int32",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
