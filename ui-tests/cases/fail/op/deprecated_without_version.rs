//! A deprecation says from which version.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", deprecated(note = "use Good"))]
pub struct Bad;

fn main() {}
