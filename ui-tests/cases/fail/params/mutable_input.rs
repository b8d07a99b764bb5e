//! An input taken mutably.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewMutD<'_, f32>, y: ArrayViewMutD<'_, f32>) {
    let _ = (x, y);
}

fn main() {}
