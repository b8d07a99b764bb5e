//! A key given twice.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", shape = shape_fns::unknown, shape = shape_fns::scalar)]
pub struct Bad;

fn main() {}
