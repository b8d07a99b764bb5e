//! Op names are CamelCase.

use oplink::prelude::*;

#[op("bad-op", input = "x: float", output = "y: float")]
pub struct Bad;

fn main() {}
