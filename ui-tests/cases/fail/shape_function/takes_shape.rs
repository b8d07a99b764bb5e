//! A shape function takes the shape of its input.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
fn bad(x: &PartialShape) -> Result<()> {
    let _ = x;
    Ok(())
}

fn main() {}
