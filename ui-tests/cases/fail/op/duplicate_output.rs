//! Two outputs of one name.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
