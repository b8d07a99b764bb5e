//! `block` for a function of one element.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: f32) -> f32 {
    x
}

fn main() {}
