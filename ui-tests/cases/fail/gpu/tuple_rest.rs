//! A pattern that leaves parts out.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    let (low, ..) = (x, x);
    low
}

fn main() {}
