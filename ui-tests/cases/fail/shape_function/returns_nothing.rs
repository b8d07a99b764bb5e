//! A shape function returns nothing.

use oplink::prelude::*;

#[op("Bad", input = "x: float", output = "y: float")]
fn bad(c: &mut ShapeContext) {
    let _ = c;
}

fn main() {}
