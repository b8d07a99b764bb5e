//! An input is taken as a slice, the output as a view.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: &[f32], y: ArrayViewMutD<'_, f32>) {
    let _ = (x, y);
}

fn main() {}
