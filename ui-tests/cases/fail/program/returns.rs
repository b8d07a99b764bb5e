//! A program with a result.

use oplink::prelude::*;

#[program(block = 64)]
fn bad(x: &[f32]) -> f32 {
    x[0]
}

fn main() {}
