//! The handle of an output for an input.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(x: OutputSlot<'_>) -> Tensor {
    let _ = x;
    Tensor::empty()
}

fn main() {}
