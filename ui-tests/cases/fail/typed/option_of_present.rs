//! An argument in an `Option` that every op of the kernel has.

use oplink::prelude::*;
use oplink_ui_ops::{UiCast, UiRelu};

#[kernel(UiRelu, device = CPU, T = any)]
#[kernel(UiCast, device = CPU, SrcT = any, DstT = any)]
fn bad(x: Option<&Tensor>) -> Result<Tensor> {
    Ok(x.cloned().unwrap_or_else(Tensor::empty))
}

fn main() {}
