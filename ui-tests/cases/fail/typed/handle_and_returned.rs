//! An output that is a handle and returned.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(x: &Tensor, mut y: OutputSlot<'_>) -> Result<Tensor> {
    y.set(x.clone());
    Ok(x.clone())
}

fn main() {}
