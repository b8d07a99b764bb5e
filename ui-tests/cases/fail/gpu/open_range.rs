//! A range with its end.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    let mut y = x;
    for _ in 0..=4 {
        y += x;
    }
    y
}

fn main() {}
