//! Two inputs in one string.

use oplink::prelude::*;

#[op("Bad", input = "x: float, y: float", output = "z: float")]
pub struct Bad;

fn main() {}
