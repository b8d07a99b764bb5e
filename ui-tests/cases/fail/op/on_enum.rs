//! An op is a unit struct or a shape function.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
pub enum Bad {}

fn main() {}
