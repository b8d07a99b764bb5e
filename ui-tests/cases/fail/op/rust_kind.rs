//! An attr is declared with the Rust type of its value.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", attr = "axis: i64")]
pub struct Bad;

fn main() {}
