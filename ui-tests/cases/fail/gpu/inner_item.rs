//! A function in the body.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    fn square(y: f32) -> f32 {
        y * y
    }
    let _ = square;
    x
}

fn main() {}
