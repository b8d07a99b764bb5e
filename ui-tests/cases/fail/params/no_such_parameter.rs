//! A parameter that the op does not have.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(xx: ArrayViewD<'_, f32>, y: ArrayViewMutD<'_, f32>) {
    let _ = (xx, y);
}

fn main() {}
