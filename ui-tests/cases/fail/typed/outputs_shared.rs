//! The outputs behind a shared reference.

use oplink::prelude::*;
use oplink_ui_ops::{UiRelu, UiReluOutputs};

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(x: &Tensor, outputs: &UiReluOutputs<'_>) {
    let _ = (x, outputs);
}

fn main() {}
