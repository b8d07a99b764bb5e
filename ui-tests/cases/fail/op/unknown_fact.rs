//! A fact that there is none of.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", is(elementwize))]
pub struct Bad;

fn main() {}
