//! The shape function is a string.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", shape = "unchanged")]
pub struct Bad;

fn main() {}
