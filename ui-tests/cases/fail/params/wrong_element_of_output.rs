//! An output is written with another element type.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>, y: ArrayViewMutD<'_, f64>) {
    let _ = (x, y);
}

fn main() {}
