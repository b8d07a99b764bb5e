//! A key of kernels.

use oplink::prelude::*;

#[program(block = 64, device = GPU)]
fn bad(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

fn main() {}
