//! A fact of an input that the op has not.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", is(shape_only(values)))]
pub struct Bad;

fn main() {}
