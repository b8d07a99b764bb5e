//! A default that the constraint does not allow.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: float",
    output = "y: float",
    attr = "a: {'SAME', 'VALID'} = 'FULL'",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
