//! A kernel of an op known only at run time takes the context.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(dynamic = "Other", device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>, y: ArrayViewMutD<'_, f32>) {
    let _ = (x, y);
}

fn main() {}
