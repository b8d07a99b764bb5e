//! A forwarded output as a plain view.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32], forward(x => y))]
fn bad(y: ArrayViewMutD<'_, f32>) {
    let _ = y;
}

fn main() {}
