//! A shape function returns the shape in place of setting it.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
fn bad(c: &mut ShapeContext) -> Result<PartialShape> {
    Ok(c.input(0).clone())
}

fn main() {}
