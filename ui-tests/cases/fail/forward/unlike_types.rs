//! forward between different types.

use oplink::prelude::*;
use oplink_ui_ops::UiCast;

#[kernel(UiCast, device = CPU, SrcT = [f32], DstT = [i32], forward(x => y))]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
