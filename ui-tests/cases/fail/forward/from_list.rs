//! forward from several tensors.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

#[kernel(UiConcat, device = CPU, T = [f32], forward(values => output))]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
