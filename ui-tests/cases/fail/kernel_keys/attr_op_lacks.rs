//! A type list for an attr that the op lacks.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32], U = [f32])]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
