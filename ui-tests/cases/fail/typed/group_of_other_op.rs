//! The group of another op.

use oplink::prelude::*;
use oplink_ui_ops::{UiConcatInputs, UiRelu};

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(inputs: UiConcatInputs<'_>) -> Result<Tensor> {
    Ok(inputs.axis.clone())
}

fn main() {}
