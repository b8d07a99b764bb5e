//! `*` without a type.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: N *",
    output = "y: float",
    attr = "N: int >= 1",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
