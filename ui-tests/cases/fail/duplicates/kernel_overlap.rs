//! Two kernels that share a dtype.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32, f64])]
fn first(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

#[kernel(UiRelu, device = CPU, T = [i32, f64])]
fn second(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
