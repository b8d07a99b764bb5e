//! A function that calls itself.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    fn halved(x: f32) -> f32 {
        if x < 1.0 { x } else { halved(x / 2.0) }
    }
    halved(x)
}

fn main() {}
