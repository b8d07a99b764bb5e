//! A loop with a value.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    let mut y = x;
    loop {
        y += 1.0;
        if y > 4.0 {
            break y;
        }
    }
}

fn main() {}
