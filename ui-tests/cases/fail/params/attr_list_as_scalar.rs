//! A list attr taken as one integer.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

#[kernel(UiAttrs, device = CPU)]
fn bad(x: ArrayViewD<'_, f32>, strides: i64) -> (ArrayD<f32>, i64) {
    (x.to_owned(), strides)
}

fn main() {}
