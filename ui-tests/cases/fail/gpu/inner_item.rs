//! A static in the body.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    static HALF: f32 = 0.5;
    x
}

fn main() {}
