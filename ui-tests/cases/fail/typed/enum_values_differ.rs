//! An enum with other values than the attr's.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

attr_enum! {
    /// What is added around an image.
    pub enum Padding { Same = "SAME", Full = "FULL" }
}

#[kernel(UiAttrs, device = CPU)]
fn bad(x: &Tensor, padding: Padding) -> (Tensor, i64) {
    (x.clone(), padding as i64)
}

fn main() {}
