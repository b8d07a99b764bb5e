//! The same group twice.

use oplink::prelude::*;
use oplink_ui_ops::{UiRelu, UiReluInputs};

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(inputs: UiReluInputs<'_>, others: UiReluInputs<'_>) -> Result<Tensor> {
    let _ = others;
    Ok(inputs.x.clone())
}

fn main() {}
