//! A kernel of an op known only at run time takes the context.

use oplink::prelude::*;

#[kernel(dynamic = "Other", device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
