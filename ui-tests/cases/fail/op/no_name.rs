//! The op's name is missing.

use oplink::prelude::*;

#[op(input = "x: float", output = "y: float")]
pub struct Bad;

fn main() {}
