//! The handle of a list for one input.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(x: InputList<'_>) -> Tensor {
    x[0].clone()
}

fn main() {}
