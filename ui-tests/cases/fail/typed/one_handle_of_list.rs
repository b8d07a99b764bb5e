//! One handle for a list of inputs.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

#[kernel(UiConcat, device = CPU, T = any)]
fn bad(values: Input<'_>) -> Tensor {
    values.take()
}

fn main() {}
