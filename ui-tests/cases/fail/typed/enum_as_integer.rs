//! An attr with a few values taken as an integer.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

#[kernel(UiAttrs, device = CPU)]
fn bad(x: &Tensor, padding: i64) -> (Tensor, i64) {
    (x.clone(), padding)
}

fn main() {}
