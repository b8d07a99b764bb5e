//! An output is returned as a vector.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> Vec<f32> {
    x.iter().copied().collect()
}

fn main() {}
