//! A constant from outside of the function.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    x * SCALE
}

const SCALE: f32 = 2.0;

fn main() {}
