//! The shape key names something that is no shape function.

use oplink::prelude::*;

fn no_shape(x: i32) -> i32 {
    x
}

#[op("Bad", input = "x: float", output = "y: float", shape = no_shape)]
pub struct Bad;

fn main() {}
