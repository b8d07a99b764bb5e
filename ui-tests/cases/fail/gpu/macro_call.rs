//! A macro.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    assert!(x > 0.0);
    x
}

fn main() {}
