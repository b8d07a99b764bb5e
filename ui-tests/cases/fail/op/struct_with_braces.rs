//! The struct of an op has braces.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
pub struct Bad {}

fn main() {}
