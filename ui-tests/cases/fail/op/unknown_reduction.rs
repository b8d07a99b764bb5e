//! A kind of reduction that there is none of.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", is(reduces(summ)))]
pub struct Bad;

fn main() {}
