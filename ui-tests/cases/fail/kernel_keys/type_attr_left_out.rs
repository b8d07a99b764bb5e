//! A type attr without a list.

use oplink::prelude::*;
use oplink_ui_ops::UiCast;

#[kernel(UiCast, device = CPU, SrcT = [f32])]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
