//! A program whose blocks have no size.

use oplink::prelude::*;

#[program(T = [f32])]
fn bad<T: Float>(x: &[T], y: &mut [T]) {
    y[0] = x[0];
}

fn main() {}
