//! A single input taken as a list.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: Inputs<'_, f32>) -> ArrayD<f32> {
    let _ = x;
    ArrayD::zeros(vec![])
}

fn main() {}
