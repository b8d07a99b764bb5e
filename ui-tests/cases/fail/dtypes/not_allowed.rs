//! A type that the op does not allow.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32, i64])]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
