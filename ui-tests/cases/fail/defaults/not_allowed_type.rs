//! A default type that the constraint does not allow.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: T",
    output = "y: T",
    attr = "T: {float, double} = DT_INT32",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
