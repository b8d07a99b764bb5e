//! The handle of an input behind a reference.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(x: &Input<'_>) -> Tensor {
    (**x).clone()
}

fn main() {}
