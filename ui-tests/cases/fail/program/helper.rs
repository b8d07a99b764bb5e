//! A function without `#[device_fn]`.

use oplink::prelude::*;

#[program(block = 64)]
fn bad(y: &mut [f32]) {
    y[0] = helper(1.0);
}

fn helper(x: f32) -> f32 {
    x
}

fn main() {}
