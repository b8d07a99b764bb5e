//! An attr in a type that attrs do not have.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

#[kernel(UiAttrs, device = CPU)]
fn bad(x: ArrayViewD<'_, f32>, alpha: f64) -> (ArrayD<f32>, i64) {
    (x.to_owned(), alpha as i64)
}

fn main() {}
