//! A type list for an attr of another kind.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

#[kernel(UiConcat, device = CPU, T = [f32], N = [f32])]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
