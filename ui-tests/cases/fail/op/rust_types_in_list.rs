//! A type attr is declared with Rust types.

use oplink::prelude::*;

#[op("Bad", input = "x: T", output = "y: T", attr = "T: {f32, f64}")]
pub struct Bad;

fn main() {}
