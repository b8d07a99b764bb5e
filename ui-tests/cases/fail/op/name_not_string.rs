//! The name of an op is no string.

use oplink::prelude::*;

#[op(Bad, input = "x: float", output = "y: float")]
pub struct Bad;

fn main() {}
