//! A shape function with another signature.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
fn bad(c: &ShapeContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
