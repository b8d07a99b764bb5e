//! An argument in an `Option` that no op of the kernel has.

use oplink::prelude::*;
use oplink_ui_ops::{UiCast, UiRelu};

#[kernel(UiRelu, device = CPU, T = any)]
#[kernel(UiCast, device = CPU, SrcT = any, DstT = any)]
fn bad(x: &Tensor, alhpa: Option<f32>) -> Result<Tensor> {
    let _ = alhpa;
    Ok(x.clone())
}

fn main() {}
