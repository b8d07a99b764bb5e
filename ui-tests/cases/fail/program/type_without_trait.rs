//! A type that the function's bounds do not allow.

use oplink::prelude::*;

#[program(block = 64, T = [f32, i32])]
fn bad<T: Float>(x: &[T], y: &mut [T]) {
    y[0] = x[0];
}

fn main() {}
