//! A shape function has no parameter.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
fn bad() -> Result<()> {
    Ok(())
}

fn main() {}
