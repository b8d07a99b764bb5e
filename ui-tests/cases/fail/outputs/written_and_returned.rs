//! An output written and returned.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>, y: ArrayViewMutD<'_, f32>) -> ArrayD<f32> {
    let _ = y;
    x.to_owned()
}

fn main() {}
