//! An attr without a kind.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
