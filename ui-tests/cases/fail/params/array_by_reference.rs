//! An input is taken as a reference to an array.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: &ArrayD<f32>) -> ArrayD<f32> {
    x.clone()
}

fn main() {}
