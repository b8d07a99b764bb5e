//! The op is a struct without `#[op]`.

use oplink::prelude::*;

pub struct Plain;

#[kernel(Plain, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
