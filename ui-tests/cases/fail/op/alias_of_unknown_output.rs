//! An alias of an output that the op has not.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", is(alias(x => z)))]
pub struct Bad;

fn main() {}
