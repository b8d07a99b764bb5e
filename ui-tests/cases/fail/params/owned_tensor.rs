//! An input is taken as a tensor by value.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: Tensor) -> Tensor {
    x
}

fn main() {}
