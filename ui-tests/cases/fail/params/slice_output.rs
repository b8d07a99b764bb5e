//! An output is taken as a slice.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>, y: &mut [f32]) {
    let _ = (x, y);
}

fn main() {}
