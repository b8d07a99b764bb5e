//! An input in a form that does not exist.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: Vec<f32>) -> ArrayD<f32> {
    let _ = x;
    ArrayD::zeros(vec![])
}

fn main() {}
