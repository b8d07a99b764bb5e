//! An op that does not exist.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiReluu, device = CPU, T = [f32])]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
