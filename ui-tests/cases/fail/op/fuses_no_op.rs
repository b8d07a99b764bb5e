//! An op that fuses what is no op.

use oplink::prelude::*;

/// No op.
pub struct Conv;

#[op("Bad", input = "x: float", output = "y: float", is(fuses(Conv)))]
pub struct Bad;

fn main() {}
