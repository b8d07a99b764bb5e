//! The op language stands in string literals.

use oplink::prelude::*;

#[op("Bad", input = x, output = "y: float")]
pub struct Bad;

fn main() {}
