//! The op is not imported.

use oplink::prelude::*;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
