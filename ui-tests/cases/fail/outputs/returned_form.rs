//! An output returned in a form that does not exist.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> Option<f32> {
    x.first().copied()
}

fn main() {}
