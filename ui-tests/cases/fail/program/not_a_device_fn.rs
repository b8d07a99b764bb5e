//! A function that is not marked.

use oplink::prelude::*;

fn half(x: f32) -> f32 {
    x / 2.0
}

#[program(block = 64, uses = [half])]
fn bad(x: &[f32], y: &mut [f32]) {
    y[0] = half(x[0]);
}

fn main() {}
