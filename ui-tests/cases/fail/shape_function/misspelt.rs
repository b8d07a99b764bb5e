//! The shared shape function is misspelt.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", shape = shape_fns::unchangd)]
pub struct Bad;

fn main() {}
