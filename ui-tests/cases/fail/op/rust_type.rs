//! An input is declared with the Rust type of its elements.

use oplink::prelude::*;

#[op("Bad", input = "x: f32", output = "y: float")]
pub struct Bad;

fn main() {}
