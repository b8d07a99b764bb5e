//! One kernel twice in a crate.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn first(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

#[kernel(UiRelu, device = CPU, T = [f32])]
fn second(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
