//! Two outputs, one returned.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

#[kernel(UiAttrs, device = CPU)]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
