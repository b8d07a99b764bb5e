//! Two kernels for every dtype.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = any)]
fn first(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

#[kernel(UiRelu, device = CPU, T = any)]
fn second(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
