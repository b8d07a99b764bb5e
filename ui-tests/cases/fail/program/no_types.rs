//! A generic parameter without types.

use oplink::prelude::*;

#[program(block = 64)]
fn bad<T: Float>(x: &[T], y: &mut [T]) {
    y[0] = x[0];
}

fn main() {}
