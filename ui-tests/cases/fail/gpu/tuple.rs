//! A tuple that is matched.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    let pair = (x, 1.0f32);
    match pair {
        _ => x,
    }
}

fn main() {}
