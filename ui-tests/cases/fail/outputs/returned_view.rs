//! An output is returned as a view of the input.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad<'a>(x: ArrayViewD<'a, f32>) -> ArrayViewD<'a, f32> {
    x
}

fn main() {}
