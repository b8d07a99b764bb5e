//! `Ref(` is not closed.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: Ref(float",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
