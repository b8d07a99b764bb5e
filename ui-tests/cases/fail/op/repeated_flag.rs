//! A flag given twice.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    stateful,
    stateful,
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
