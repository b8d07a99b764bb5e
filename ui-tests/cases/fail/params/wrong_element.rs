//! An input of another element type.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, i64>, y: ArrayViewMutD<'_, f32>) {
    let _ = (x, y);
}

fn main() {}
