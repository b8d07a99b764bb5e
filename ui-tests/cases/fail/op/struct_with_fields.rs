//! An op's struct has no fields.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
pub struct Bad {
    x: i32,
}

fn main() {}
