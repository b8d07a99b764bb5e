//! A forwarded pair as two views.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32], forward(x => y))]
fn bad(x: ArrayViewD<'_, f32>, y: ArrayViewMutD<'_, f32>) {
    let _ = (x, y);
}

fn main() {}
