//! A type whose name is nearly that of a group.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

pub struct UiReluInput;

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(arguments: UiReluInput) -> Result<Tensor> {
    let _ = arguments;
    Ok(Tensor::empty())
}

fn main() {}
