//! The shared shape function is called in place of named.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", shape = shape_fns::unchanged())]
pub struct Bad;

fn main() {}
