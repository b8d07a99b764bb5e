//! Two outputs, three returned.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

#[kernel(UiAttrs, device = CPU)]
fn bad(x: ArrayViewD<'_, f32>) -> (ArrayD<f32>, i64, i64) {
    (x.to_owned(), 0, 0)
}

fn main() {}
