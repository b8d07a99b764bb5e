//! A value that a launch cannot pass.

use oplink::prelude::*;

#[program(block = 64)]
fn bad(x: &[f32], y: &mut [f32], count: usize) {
    y[count] = x[0];
}

fn main() {}
