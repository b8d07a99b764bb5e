//! A shape function needs no shape key.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float", shape = shape_fns::unknown)]
fn bad(c: &mut ShapeContext) -> Result<()> {
    shape_fns::unknown(c)
}

fn main() {}
