//! A range backwards.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    let mut y = x;
    for i in (0..4).rev() {
        y = y * x + i as f32;
    }
    y
}

fn main() {}
