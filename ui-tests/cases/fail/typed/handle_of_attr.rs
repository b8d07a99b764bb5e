//! The handle of an input for an attr.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

#[kernel(UiAttrs, device = CPU)]
fn bad(x: &Tensor, alpha: Input<'_>) -> (Tensor, i64) {
    let _ = alpha;
    (x.clone(), 0)
}

fn main() {}
