//! The device is missing.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, T = [f32])]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
