//! An input in a group and as a parameter.

use oplink::prelude::*;
use oplink_ui_ops::{UiRelu, UiReluInputs};

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(inputs: UiReluInputs<'_>, x: &Tensor) -> Result<Tensor> {
    let _ = inputs;
    Ok(x.clone())
}

fn main() {}
