//! A float attr taken as an integer.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

#[kernel(UiAttrs, device = CPU)]
fn bad(x: ArrayViewD<'_, f32>, alpha: i64) -> (ArrayD<f32>, i64) {
    (x.to_owned(), alpha)
}

fn main() {}
